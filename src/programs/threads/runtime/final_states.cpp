#include "programs/threads/runtime/final_states.hpp"

#include <algorithm>
#include <utility>

#include "programs/threads/runtime/machine/memory.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t usual_variables = 64;  // beyond, what is the same everywhere is counted only

bool is_access(Action action) {
  return action == Action::read || action == Action::write || action == Action::update ||
         action == Action::update_failed;
}
bool writes(Action action) { return action == Action::write || action == Action::update; }

bool tells_value(const RawEvent& event) { return event.size <= 8 || event.size == 16; }

std::uint8_t bit_of(std::uint64_t address) {
  return static_cast<std::uint8_t>(1U << (address % 8));
}

/// Of a number of up to 16 bytes, the lowest first.
std::uint8_t byte_of(std::size_t at, std::uint64_t low, std::uint64_t high) {
  return static_cast<std::uint8_t>((at < 8 ? low : high) >> (at % 8 * 8));
}

bool lies_at_home(const RawEvent& event) {
  return in_stack_of(index(event.process), event.address);
}

}  // namespace

// --- memory -------------------------------------------------------------------------------------

void ToldMemory::put(std::uint64_t address, std::uint8_t byte) {
  Word& word = words_[address / 8];
  const std::uint64_t shift = address % 8 * 8;
  word.value = (word.value & ~(std::uint64_t{0xFF} << shift)) | std::uint64_t{byte} << shift;
  word.known |= bit_of(address);
  word.lost = static_cast<std::uint8_t>(word.lost & ~bit_of(address));
}

void ToldMemory::lose(std::uint64_t address) {
  put(address, 0);
  Word& word = words_[address / 8];
  word.known = static_cast<std::uint8_t>(word.known & ~bit_of(address));
  word.lost |= bit_of(address);
}

bool ToldMemory::has(std::uint64_t address) const {
  const Word found = word(address / 8);
  return ((found.known | found.lost) & bit_of(address)) != 0;
}

ToldMemory::Word ToldMemory::word(std::uint64_t at) const {
  const auto known = words_.find(at);
  return known == words_.end() ? Word{} : known->second;
}

// --- executions ---------------------------------------------------------------------------------

void FinalStates::add(std::uint32_t node, const std::vector<RawEvent>& events) {
  users_.clear();
  ToldMemory memory;
  for (const RawEvent& event : events) {
    if (!is_access(event.action) || event.size == 0 || (event.flags & flag_not_done) != 0) continue;
    note_use(event);
    follow(event, memory);
  }
  End& end = ends_.emplace_back();
  end.node = node;
  if (ends_.size() == 1) {
    base_ = std::move(memory);
    return;
  }
  for (const auto& [at, word] : memory.words()) {
    if (base_.word(at) != word) end.changed[at] = word;
  }
  for (const auto& [at, word] : base_.words()) {
    if (!memory.words().contains(at)) end.changed[at] = {};
  }
}

void FinalStates::note_use(const RawEvent& event) {
  const Place place{event.address, event.size};
  const auto [known, is_new] = variables_.try_emplace(place);
  Variable& variable = known->second;
  if (is_new || (!variable.at_home && lies_at_home(event))) {
    variable.event = event;
    variable.at_home = lies_at_home(event);
  }
  const ProcessId first = users_.try_emplace(place, event.process).first->second;
  variable.shared = variable.shared || first != event.process;
  variable.written = variable.written || writes(event.action);
}

/// What is in memory after the access, and what was there from the start if it is the first one.
void FinalStates::follow(const RawEvent& event, ToldMemory& memory) {
  if ((event.flags & flag_overtakes) != 0) return;
  const bool reads = event.action != Action::write;
  const bool updates = event.action == Action::update;
  for (std::size_t at = 0; at < event.size; ++at) {
    const std::uint64_t address = event.address + at;
    if (!tells_value(event)) {
      if (writes(event.action)) memory.lose(address);
      continue;
    }
    const std::uint8_t seen = byte_of(at, event.value, event.high);
    if (reads && !memory.has(address)) initial_.put(address, seen);
    memory.put(address, updates ? byte_of(at, event.new_value, event.new_high) : seen);
  }
}

// --- what is shown ------------------------------------------------------------------------------

ToldMemory::Word FinalStates::word_at(const End& end, std::uint64_t at) const {
  const auto changed = end.changed.find(at);
  return changed == end.changed.end() ? base_.word(at) : changed->second;
}

FinalStates::Value FinalStates::value_at(const End& end, const Place& place) const {
  const auto [begin, size] = place;
  Value value;
  std::size_t known = 0;
  std::size_t met = 0;  // in this execution
  for (std::size_t at = 0; at < size; ++at) {
    const std::uint64_t address = begin + at;
    ToldMemory::Word word = word_at(end, address / 8);
    if (((word.known | word.lost) & bit_of(address)) != 0) {
      ++met;
    } else {
      word = initial_.word(address / 8);
    }
    if ((word.known & bit_of(address)) == 0) continue;
    ++known;
    if (at >= 16) continue;
    const std::uint64_t byte = word.value >> (address % 8 * 8) & 0xFFU;
    (at < 8 ? value.low : value.high) |= byte << (at % 8 * 8);
  }
  if (known == size) {
    value.told = Told::value;
    return value;
  }
  return {known + met == 0 ? Told::unchanged : Told::nothing};
}

std::vector<FinalStates::Column> FinalStates::columns() const {
  std::vector<Column> all;
  for (const auto& [place, variable] : variables_) {
    if (!variable.shared || !variable.written) continue;
    Column& column = all.emplace_back(Column{&variable, {}});
    for (const End& end : ends_) column.values.push_back(value_at(end, place));
  }
  return all;
}

void FinalStates::write_to(RawTree& tree) const {
  for (const End& end : ends_) {
    tree.finals.push_back({end.node, {}});
    tree.tree.nodes[end.node].state_known = true;
  }
  const std::vector<Column> all = columns();
  const auto is_constant = [](const Column& column) {
    const Value& first = column.values.front();
    return std::all_of(column.values.begin(), column.values.end(),
                       [&](const Value& one) { return one == first; });
  };
  const auto changing = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const Column& one) { return !is_constant(one); }));
  std::size_t room = usual_variables - std::min(changing, usual_variables);
  for (const Column& column : all) {
    if (is_constant(column)) {
      if (room == 0) {
        ++tree.left_out;
        continue;
      }
      --room;
    }
    std::map<Value, std::uint32_t> known;
    for (std::size_t at = 0; at < column.values.size(); ++at) {
      const Value& value = column.values[at];
      const auto [place, is_new] =
          known.try_emplace(value, static_cast<std::uint32_t>(tree.values.size()));
      if (is_new) {
        RawEvent& event = tree.values.emplace_back(column.variable->event);
        event.action = value.told == Told::nothing ? Action::read : Action::write;
        event.flags = value.told == Told::value ? 0 : flag_not_done;
        event.value = value.low;
        event.high = value.high;
      }
      tree.finals[tree.finals.size() - ends_.size() + at].values.push_back(place->second);
    }
  }
}

}  // namespace mazurka::threads
