#include "mpi/reference/program.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace mazurka::mpi_reference {

namespace {

constexpr std::array<std::string_view, 26> kind_names{
    "send",     "isend",  "sendinit", "recvinit", "start", "recv",    "irecv",
    "sendrecv", "wait",   "waitany",  "waitsome", "test",  "testall", "testany",
    "testsome", "cancel", "free",     "probe",    "take",  "iprobe",  "mprobe",
    "improbe",  "mrecv",  "imrecv",   "",         "skip"};
constexpr std::array<std::string_view, 9> shape_names{
    "barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "scan", "exscan", "alltoall"};
constexpr std::array<std::string_view, 3> mode_names{"std", "sync", "buf"};

template <typename Names>
std::optional<std::size_t> place_of(const Names& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (name.empty() || found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

bool has_mode(Kind kind) {
  return kind == Kind::send || kind == Kind::isend || kind == Kind::sendinit;
}

std::string encode(const Operation& one) {
  std::string text;
  if (one.kind == Kind::collective) {
    text = (one.nonblocking ? "i" : "") + std::string(shape_names[std::size_t(one.shape)]);
  } else {
    text = kind_names[std::size_t(one.kind)];
  }
  if (has_mode(one.kind)) text += "." + std::string(mode_names[std::size_t(one.mode)]);
  for (std::size_t at = 0; at < one.words.size(); ++at) {
    const bool is_comm = at == 1;
    if (one.kind == Kind::collective) {
      if (!is_comm && !is_rooted(one.shape)) continue;
      if (is_comm && one.words[at] == 0) continue;
    }
    text += "." + std::to_string(one.words[at]);
  }
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<Operation> named(std::string_view name) {
  Operation one;
  if (const auto kind = place_of(kind_names, name)) {
    one.kind = static_cast<Kind>(*kind);
    return one;
  }
  one.kind = Kind::collective;
  std::optional<std::size_t> shape = place_of(shape_names, name);
  if (!shape && name.starts_with('i')) {
    one.nonblocking = true;
    shape = place_of(shape_names, name.substr(1));
  }
  if (!shape) return std::nullopt;
  one.shape = static_cast<Shape>(*shape);
  return one;
}

// How many words there have to be, besides the mode; of requests at least one.
bool is_complete(const Operation& one) {
  const std::size_t words = one.words.size();
  switch (one.kind) {
    case Kind::sendrecv: return words == 5;
    case Kind::send:
    case Kind::isend:
    case Kind::skip: return words == 3;
    case Kind::test:
    case Kind::cancel:
    case Kind::free: return words == 1;
    case Kind::take:
    case Kind::mrecv:
    case Kind::imrecv: return words == 0;
    case Kind::wait:
    case Kind::waitany:
    case Kind::waitsome:
    case Kind::testall:
    case Kind::testany:
    case Kind::testsome: return words > 0;
    default: return words == 2;
  }
}

std::optional<Operation> decode_operation(std::string_view text) {
  const std::vector<std::string_view> words = split(text, '.');
  std::optional<Operation> one = named(words[0]);
  if (!one) return std::nullopt;
  std::size_t at = 1;
  if (has_mode(one->kind)) {
    const auto mode = at < words.size() ? place_of(mode_names, words[at++]) : std::nullopt;
    if (!mode) return std::nullopt;
    one->mode = static_cast<Mode>(*mode);
  }
  if (one->kind == Kind::collective && !is_rooted(one->shape)) one->words.push_back(0);
  for (; at < words.size(); ++at) {
    int number = 0;
    const char* const end = words[at].data() + words[at].size();
    const auto [last, error] = std::from_chars(words[at].data(), end, number);
    if (error != std::errc{} || last != end) return std::nullopt;
    one->words.push_back(number);
  }
  if (one->kind == Kind::collective && one->words.size() == 1) one->words.push_back(0);
  if (!is_complete(*one)) return std::nullopt;
  return one;
}

// Waits name what was made before.
bool names_requests(const Operations& operations) {
  for (std::size_t index = 0; index < operations.size(); ++index) {
    const Operation& one = operations[index];
    for (const int request : requests_of(one)) {
      if (request < 0 || std::size_t(request) >= index) return false;
      const Operation& maker = operations[std::size_t(request)];
      const bool is_persistent = maker.kind == Kind::sendinit || maker.kind == Kind::recvinit;
      if (one.kind == Kind::start && !is_persistent) return false;
      if (!is_persistent && !activates(maker, std::size_t(request))) return false;
    }
  }
  return true;
}

template <typename Condition>
bool any_of(const Program& program, const Condition& condition) {
  return std::any_of(program.begin(), program.end(), [&](const Operations& operations) {
    return std::any_of(operations.begin(), operations.end(), condition);
  });
}

}  // namespace

std::string encode(const Program& program) {
  std::string text;
  for (std::size_t rank = 0; rank < program.size(); ++rank) {
    if (rank > 0) text += '/';
    if (program[rank].empty()) text += "none";
    for (std::size_t at = 0; at < program[rank].size(); ++at) {
      if (at > 0) text += ',';
      text += encode(program[rank][at]);
    }
  }
  return text;
}

std::optional<Program> decode(std::string_view text, std::string& problem) {
  Program program;
  for (const std::string_view rank : split(text, '/')) {
    Operations& operations = program.emplace_back();
    if (rank == "none") continue;
    for (const std::string_view word : split(rank, ',')) {
      const std::optional<Operation> one = decode_operation(word);
      if (!one) {
        problem = "what is '" + std::string(word) + "'?";
        return std::nullopt;
      }
      operations.push_back(*one);
    }
    if (operations.size() > max_operations) problem = "a rank has too many operations";
    if (!names_requests(operations)) problem = "a request is named that was not made before";
  }
  if (program.size() > max_ranks) problem = "there are too many ranks";
  if (!problem.empty()) return std::nullopt;
  return program;
}

bool is_rooted(Shape shape) {
  return shape == Shape::bcast || shape == Shape::reduce || shape == Shape::gather ||
         shape == Shape::scatter;
}

bool asks(const Operation& one) {
  switch (one.kind) {
    case Kind::wait:
    case Kind::waitany:
    case Kind::waitsome:
    case Kind::test:
    case Kind::testall:
    case Kind::testany:
    case Kind::testsome:
    case Kind::cancel: return true;
    default: return false;
  }
}

bool is_test(const Operation& one) {
  if (one.kind == Kind::iprobe || one.kind == Kind::improbe) return true;
  return asks(one) && one.kind != Kind::wait && one.kind != Kind::waitany;
}

std::vector<int> requests_of(const Operation& one) {
  if (asks(one) || one.kind == Kind::free) return one.words;
  if (one.kind == Kind::start) return {one.words[1]};
  return {};
}

std::optional<int> activates(const Operation& one, std::size_t index) {
  switch (one.kind) {
    case Kind::isend:
    case Kind::irecv:
    case Kind::imrecv: return static_cast<int>(index);
    case Kind::collective:
      if (one.nonblocking) return static_cast<int>(index);
      return std::nullopt;
    case Kind::start: return one.words[1];
    default: return std::nullopt;
  }
}

std::vector<int> open_requests(const Operations& operations) {
  std::vector<int> open;
  for (std::size_t index = 0; index < operations.size(); ++index) {
    const Operation& one = operations[index];
    if (one.kind == Kind::wait || one.kind == Kind::free) {
      for (const int request : one.words) std::erase(open, request);
    }
    if (const auto active = activates(one, index)) open.push_back(*active);
  }
  return open;
}

bool has(const Program& program, Kind kind) {
  return any_of(program, [&](const Operation& one) { return one.kind == kind; });
}

bool has_tests(const Program& program) { return any_of(program, is_test); }

bool is_all_seen(const Program& program) {
  return std::all_of(program.begin(), program.end(), [](const Operations& operations) {
    const bool frees_receive =
        std::any_of(operations.begin(), operations.end(), [&](const Operation& one) {
          if (one.kind != Kind::free) return false;
          return operations[std::size_t(one.words[0])].kind != Kind::isend;
        });
    return !frees_receive && open_requests(operations).empty();
  });
}

}  // namespace mazurka::mpi_reference
