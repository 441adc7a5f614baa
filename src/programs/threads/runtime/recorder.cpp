#include "programs/threads/runtime/recorder.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <unwind.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/check.hpp"
#include "programs/threads/runtime/check_function.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/machine/memory.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t max_frames = 32;

// The runtime's own code, to leave its frames out.
struct OwnCode {
  std::uintptr_t begin = 0, end = 0;
};

OwnCode find_own_code() {
  OwnCode own;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        const auto here = reinterpret_cast<std::uintptr_t>(&find_own_code);
        for (int at = 0; at < info->dlpi_phnum; ++at) {
          const ElfW(Phdr)& header = info->dlpi_phdr[at];
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          if (header.p_type != PT_LOAD || here < begin || here >= begin + header.p_memsz) continue;
          *static_cast<OwnCode*>(out) = {begin, begin + header.p_memsz};
          return 1;
        }
        return 0;
      },
      &own);
  return own;
}

struct Walk {
  std::vector<std::uint64_t>* frames;
  OwnCode own;
  std::vector<std::uint64_t>* ends = nullptr;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const std::uintptr_t address = _Unwind_GetIP(context);
  if (walk.ends != nullptr && walk.ends->size() < walk.frames->size()) {
    // The unwinder calls it that of the caller: where the frame of whom it called ended.
    walk.ends->push_back(_Unwind_GetCFA(context));
  }
  if (address == 0 || walk.frames->size() >= max_frames) return _URC_END_OF_STACK;
  if (address < walk.own.begin || address >= walk.own.end) {
    walk.frames->push_back(address);
  } else if (performs_checked(context)) {
    return _URC_END_OF_STACK;  // what called it is not checked
  }
  return _URC_NO_REASON;
}

}  // namespace

std::vector<std::uint64_t> capture_stack(std::vector<std::uint64_t>* ends) {
  static const OwnCode own = find_own_code();
  std::vector<std::uint64_t> frames;
  Walk walk{&frames, own, ends};
  _Unwind_Backtrace(visit_frame, &walk);
  return frames;
}

// A program with handlers may go on after it has used what is no memory.
static bool is_memory(std::uint64_t address) {
  if (!surroundings.dispositions().any()) return true;
  unsigned char known = 0;
  const std::uintptr_t page = round_down(address, page_size());
  return call_kernel(SYS_mincore, static_cast<long>(page), 1, as_argument(&known)) >= 0;
}

std::uint64_t load_value(std::uint64_t address, std::size_t size) {
  std::uint64_t value = 0;
  if (!is_memory(address)) return 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), size > 8 ? 8 : size);
  return value;
}

void load_values(RawEvent& event) {
  if (event.size >= 1 && event.size <= 8) event.value = load_value(event.address, event.size);
  if (event.size != 16) return;
  event.value = load_value(event.address, 8);
  event.high = load_value(event.address + 8, 8);
}

static bool is_of_memory(Action action) {
  switch (action) {
    case Action::read:
    case Action::write:
    case Action::update:
    case Action::update_failed:
    case Action::allocate:
    case Action::release: return true;
    default: return false;
  }
}

RawEvent& Recorder::add(ProcessId process, Action action, std::uint32_t position, bool alone) {
  // What others have announced has happened, and this process has not written over it yet.
  for (std::size_t at = 0; at < unsettled_.size(); ++at) {
    if (at != index(process)) settle(static_cast<ProcessId>(at));
  }
  // gcc tells of a copy's write, then of its read, and only then copies.
  if (action != Action::read) settle(process);
  std::size_t& count = alone ? events_alone_ : events_in_company_;
  leaves_out_ = is_of_memory(action) && count >= (alone ? max_alone : max_in_company);
  if (leaves_out_) {
    const std::size_t here = story.events.size();
    if (story.gaps.empty() || story.gaps.back().before != here) story.gaps.push_back({here, 0});
    ++story.gaps.back().events;
    latest_ = {};
    latest_.process = process;
    latest_.action = action;
    latest_.position = position;
    return latest_;
  }
  ++count;
  RawEvent& event = story.events.emplace_back();
  event.process = process;
  event.action = action;
  event.position = position;
  event.stack = capture_stack(&event.ends);
  return event;
}

std::uintptr_t Recorder::hidden_between(ProcessId later) const {
  const auto earlier =
      std::find_if(story.events.begin(), story.events.end(), [&](const RawEvent& event) {
        return (event.flags & flag_racing) != 0 && event.process != later;
      });
  const bool known = earlier != story.events.end();
  const auto since = static_cast<std::size_t>(earlier - story.events.begin());
  for (const Hidden& one : hidden_) {
    const bool concerned = one.process == later || one.process == earlier->process;
    if (!known || (concerned && one.events > since)) return one.place;
  }
  return 0;
}

bool Recorder::repeats(ProcessId process, Action action, std::uint64_t address,
                       std::size_t size) const {
  if (story.events.empty() || action != Action::read || size > 8) return false;
  const RawEvent& last = story.events.back();
  return last.process == process && last.action == action && last.address == address &&
         last.size == size && last.value == load_value(address, size);
}

void Recorder::keep_latest(ProcessId current) {
  if (!leaves_out_ || latest_.process != current) return;
  MAZURKA_CHECK(!story.gaps.empty() && story.gaps.back().events > 0, "what is kept was left out");
  leaves_out_ = false;
  --story.gaps.back().events;
  latest_.stack = capture_stack(&latest_.ends);
  story.events.push_back(std::move(latest_));
}

void Recorder::expect_value(ProcessId process) {
  if (leaves_out_) return;
  if (unsettled_.size() <= index(process)) unsettled_.resize(index(process) + 1, 0);
  unsettled_[index(process)] = story.events.size();
}

void Recorder::settle(ProcessId process) {
  if (unsettled_.size() <= index(process) || unsettled_[index(process)] == 0) return;
  MAZURKA_CHECK(unsettled_[index(process)] <= story.events.size(),
                "an event is settled that is there");
  RawEvent& event = story.events[unsettled_[index(process)] - 1];
  unsettled_[index(process)] = 0;
  load_values(event);
}

void Recorder::settle_all() {
  for (std::size_t at = 0; at < unsettled_.size(); ++at) settle(static_cast<ProcessId>(at));
}

void Recorder::keep_blocks_mentioned() {
  for (RawBlock& block : allocations) {
    const bool mentioned =
        std::any_of(story.events.begin(), story.events.end(), [&](const RawEvent& event) {
          return event.address - block.address < block.size ||
                 (event.second_address != 0 && event.second_address - block.address < block.size);
        });
    if (mentioned) story.blocks.push_back(std::move(block));
  }
}

}  // namespace mazurka::threads
