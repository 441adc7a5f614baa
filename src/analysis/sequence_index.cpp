#include "analysis/sequence_index.hpp"

#include <algorithm>

namespace mazurka {

void SequenceIndex::put_first(Lists& lists, std::size_t which, std::uint32_t at,
                              std::uint8_t mode) {
  if (lists.size() <= which) lists.resize(which + 1);
  const std::uint32_t next = begin(lists, which);
  lists[which] = {current_, static_cast<std::uint32_t>(entries_.size())};
  entries_.push_back({at, next, mode});
}

void SequenceIndex::add(const Step& step, std::uint32_t at) {
  put_first(steps_of_, index(step.process()), at, 0);
  if (step.awaited != no_process) put_first(connected_with_, index(step.awaited), at, 0);
  for (const ProcessId other : step.released) put_first(connected_with_, index(other), at, 0);
  for (const Access& access : step.accesses) {
    put_first(accesses_to_, index(access.object), at, access.mode);
  }
  if (step.exits) put_first(exits_, 0, at, 0);
}

std::uint32_t SequenceIndex::first(Lists& lists, std::size_t which, const Remainder& left) {
  std::uint32_t entry = begin(lists, which);
  if (entry == none) return none;
  while (entry != none && !left.contains(entries_[entry].at)) entry = entries_[entry].next;
  lists[which].first = entry;
  return entry;
}

bool SequenceIndex::disturbs(const Step& step, const Remainder& left) {
  const std::uint32_t end = first_of(step.process(), left);
  const auto comes = [&](Lists& lists, std::size_t which) {
    const std::uint32_t entry = first(lists, which, left);
    return entry != none && entries_[entry].at < end;
  };
  if (comes(connected_with_, index(step.process())) || comes(exits_, 0)) return true;
  if (step.awaited != no_process && comes(steps_of_, index(step.awaited))) return true;
  if (step.exits && left.first() != end) return true;
  if (std::any_of(step.released.begin(), step.released.end(),
                  [&](ProcessId process) { return comes(steps_of_, index(process)); })) {
    return true;
  }
  for (const Access& access : step.accesses) {
    const std::uint16_t related = vocabulary_.related_modes(access);
    std::uint32_t entry = first(accesses_to_, index(access.object), left);
    for (; entry != none && entries_[entry].at < end; entry = entries_[entry].next) {
      if ((related >> entries_[entry].mode & 1U) != 0 && left.contains(entries_[entry].at)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace mazurka
