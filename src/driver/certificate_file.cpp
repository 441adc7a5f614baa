#include "driver/certificate_file.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::certificate {

namespace {

constexpr std::uint32_t escape = 15;

void append(std::string& bytes, std::uint64_t value) {
  for (; value > 0x7f; value >>= 7U) bytes += static_cast<char>((value & 0x7fU) | 0x80U);
  bytes += static_cast<char>(value);
}

bool has_operand(Action action) {
  return action == Action::write || (action >= Action::add && action <= Action::await) ||
         action == Action::leave;
}
bool may_fail(Action action) {
  return action == Action::compare_exchange || action == Action::try_lock ||
         action == Action::try_take || action == Action::try_alone || action == Action::try_share;
}
bool writes(Action action) {
  return action == Action::update || action == Action::compare_exchange;
}
bool observes(Action action) {
  return action == Action::read || action == Action::look || writes(action);
}

std::string written(const Operation& operation) {
  std::string bytes;
  append(bytes, operation.end ? 3 : operation.exit ? 2 : 0);
  if (operation.end) return bytes;
  append(bytes, operation.joins == nothing ? 0 : operation.joins + 1);
  append(bytes, operation.choices);
  append(bytes, operation.parts.size());
  for (const Part& part : operation.parts) {
    append(bytes, static_cast<std::uint64_t>(part.action));
    append(bytes, part.object);
    if (has_operand(part.action)) append(bytes, part.operand);
    if (part.action == Action::add) append(bytes, part.width);
  }
  append(bytes, operation.spawns.size());
  for (const std::uint32_t child : operation.spawns) append(bytes, child);
  return bytes;
}

std::string written(const Step& step) {
  std::string bytes;
  append(bytes, step.outcome.choice);
  MAZURKA_CHECK(step.outcome.parts.size() == step.operation.parts.size());
  for (std::size_t at = 0; at < step.operation.parts.size(); ++at) {
    const Action action = step.operation.parts[at].action;
    const PartOutcome& part = step.outcome.parts[at];
    if (may_fail(action)) append(bytes, part.succeeded ? 1 : 0);
    if (observes(action)) append(bytes, part.observed);
    if (writes(action) && part.succeeded) append(bytes, part.written);
  }
  return bytes;
}

}  // namespace

Writer::Writer(std::string_view technique, std::string_view model) : bytes_("MZCERT1\n") {
  text(technique);
  text(model);
  number(1);  // operations are determined by histories
}

void Writer::number(std::uint64_t value) { append(bytes_, value); }

void Writer::text(std::string_view value) {
  number(value.size());
  bytes_ += value;
}

void Writer::add_process(std::uint32_t parent, std::uint32_t nth) {
  bytes_ += 'P';
  number(parent == nothing ? 0 : parent + 1);
  number(nth);
  first_.emplace_back();
}

std::uint32_t Writer::add_object(Kind kind, std::uint64_t initial) {
  bytes_ += 'O';
  number(static_cast<std::uint64_t>(kind));
  number(initial);
  return objects_++;
}

void Writer::incomplete(std::string_view why) {
  bytes_ += 'I';
  text(why);
}

void Writer::not_covered(std::string_view what) {
  bytes_ += 'U';
  text(what);
}

std::uint32_t Writer::number_of(const Operation& operation) {
  std::string bytes = written(operation);
  const auto next = static_cast<std::uint32_t>(operations_.size());
  const auto [known, fresh] = operations_.emplace(std::move(bytes), next);
  if (fresh) bytes_ += 'A' + known->first;
  return known->second;
}

std::uint32_t Writer::first_node(std::uint32_t process, const Operation& operation,
                                 std::uint32_t& nth) {
  const std::uint32_t wanted = number_of(operation);
  std::vector<std::uint32_t>& first = first_[process];
  for (nth = 0; nth < first.size(); ++nth) {
    if (nodes_[first[nth]].operation == wanted) return first[nth];
  }
  bytes_ += 'N';
  number(0);
  number(process);
  number(wanted);
  first.push_back(static_cast<std::uint32_t>(nodes_.size()));
  nodes_.push_back({wanted, {}, {}});
  return first.back();
}

std::uint32_t Writer::next_node(std::uint32_t node, const Step& step, const Operation& operation,
                                std::uint32_t& nth) {
  const std::uint32_t wanted = number_of(operation);
  std::string outcome = written(step);
  const std::vector<std::uint32_t>& children = nodes_[node].children;
  for (nth = 0; nth < children.size(); ++nth) {
    const Node& child = nodes_[children[nth]];
    if (child.operation == wanted && child.outcome == outcome) return children[nth];
  }
  bytes_ += 'N';
  number(node + 1);
  bytes_ += outcome;
  number(wanted);
  const auto fresh = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].children.push_back(fresh);
  nodes_.push_back({wanted, std::move(outcome), {}});
  return fresh;
}

void Writer::add(const std::vector<Step>& steps,
                 const std::vector<std::pair<std::uint32_t, Operation>>& last) {
  // What comes behind each step, of its process.
  std::vector<const Operation*> after(steps.size());
  std::vector<const Operation*> next(first_.size());
  for (const auto& [process, operation] : last) next[process] = &operation;
  for (std::size_t at = steps.size(); at-- > 0;) {
    after[at] = std::exchange(next[steps[at].process], &steps[at].operation);
  }
  std::vector<std::uint32_t> node(first_.size(), nothing);
  std::string begins;
  std::uint64_t begun = 0;
  for (std::uint32_t process = 0; process < first_.size(); ++process) {
    if (next[process] == nullptr) continue;
    std::uint32_t nth = 0;
    node[process] = first_node(process, *next[process], nth);
    if (nth == 0) continue;
    ++begun;
    append(begins, process);
    append(begins, nth);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> schedule;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    std::uint32_t& own = node[steps[at].process];
    MAZURKA_CHECK(own != nothing && after[at] != nullptr);
    std::uint32_t nth = 0;
    own = next_node(own, steps[at], *after[at], nth);
    schedule.emplace_back(steps[at].process, nth);
  }
  const auto parting =
      std::mismatch(schedule.begin(), schedule.end(), latest_.begin(), latest_.end()).first;
  bytes_ += 'S';
  number(static_cast<std::uint64_t>(parting - schedule.begin()));
  number(static_cast<std::uint64_t>(schedule.end() - parting));
  for (auto one = parting; one != schedule.end(); ++one) {
    const std::uint32_t low = std::min(one->first, escape);
    const std::uint32_t high = std::min(one->second, escape);
    bytes_ += static_cast<char>(low | high << 4U);
    if (low == escape) number(one->first);
    if (high == escape) number(one->second);
  }
  number(begun);
  bytes_ += begins;
  latest_ = std::move(schedule);
  ++schedules_;
}

std::string Writer::finish() {
  Operation end;
  end.end = true;
  for (std::uint32_t process = 0; process < first_.size(); ++process) {
    std::uint32_t nth = 0;
    if (first_[process].empty()) (void)first_node(process, end, nth);
  }
  bytes_ += 'E';
  number(schedules_);
  number(nodes_.size());
  return std::move(bytes_);
}

}  // namespace mazurka::certificate
