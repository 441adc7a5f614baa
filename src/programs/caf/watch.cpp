#include "programs/caf/watch.hpp"

#include <link.h>

#include <algorithm>
#include <iostream>

#include "core/check.hpp"

namespace mazurka::caf {

namespace {

using Extent = std::pair<std::uintptr_t, std::uintptr_t>;

Extent extent(const void* address, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  return {begin, begin + size};
}

// What belongs to a thread. CAF's are many, and which of them runs a handler is not known; here it
// is always the same.
int add_thread_local(dl_phdr_info* info, std::size_t, void* extents) {
  for (std::size_t at = 0; at < info->dlpi_phnum; ++at) {
    if (info->dlpi_phdr[at].p_type != PT_TLS || info->dlpi_tls_data == nullptr) continue;
    static_cast<std::vector<Extent>*>(extents)->push_back(
        extent(info->dlpi_tls_data, info->dlpi_phdr[at].p_memsz));
  }
  return 0;
}

bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}
bool releases(std::memory_order order) { return order >= std::memory_order_release; }

}  // namespace

void Watch::begin() {
  if (!instrumented_) return;
  if (names_ == nullptr) {
    static CodeNames names;
    names_ = &names;
    dl_iterate_phdr(add_thread_local, &private_);
    // Streams may be used by several at once.
    private_.push_back(extent(&std::cout, sizeof std::cout));
    private_.push_back(extent(&std::cerr, sizeof std::cerr));
    private_.push_back(extent(&std::clog, sizeof std::clog));
    private_.push_back(extent(&std::cin, sizeof std::cin));
  }
  memory_.clear();
  published_.clear();
  unlocked_.clear();
  told_.clear();
  stack_end_ = 0;
  traffic_.knowledge().keep(true);
  active_ = this;
}

// What the C++ library does, it does for whoever has called it.
Owner Watch::who_asks(Site& site) {
  constexpr int most_frames = 64;
  struct Frame {
    const Frame* caller;
    std::uintptr_t returns_to;
  };
  const auto* frame = static_cast<const Frame*>(site.frame);
  for (int depth = 0; depth < most_frames && names_->contains(site.code); ++depth) {
    const Owner owner = names_->owner(site.code);
    if (owner != Owner::standard) return owner;
    site.code = frame->returns_to;
    frame = frame->caller;
  }
  return Owner::library;
}

bool Watch::is_private(std::uintptr_t address) const {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (address >= here && address < stack_end_) return true;
  return std::any_of(private_.begin(), private_.end(), [&](const Extent& one) {
    return address >= one.first && address < one.second;
  });
}

void Watch::access(const void* address, std::size_t size, Kind kind, Site site) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  // Most are of the library, and that is quickly seen.
  if (!names_->contains(site.code) || names_->owner(site.code) == Owner::library) return;
  if (is_private(at)) return;
  const Owner owner = who_asks(site);
  if (owner == Owner::library) return;
  Knowledge& knowledge = traffic_.knowledge();
  if (owner == Owner::count) {
    knowledge.learn(published(address));
    knowledge.publish(published(address));
    return;
  }
  SharedMemory::Past other;
  recording_ = true;
  const bool conflicts = memory_.access(knowledge, at, size, kind, site.code, other);
  recording_ = false;
  if (!conflicts) return;
  const SharedMemory::Past now{site.code, knowledge.current(), kind};
  if (SharedMemory::atomic(kind) && SharedMemory::atomic(other.kind)) {
    const std::string name = names_->variable(at);
    note_shared("the atomic variable" + (name.empty() ? "" : " `" + name + "`"), site.code);
  } else {
    note_race(at, other, now);
  }
}

void Watch::atomic_access(const void* address, std::size_t size, Kind kind, std::memory_order order,
                          Site site) {
  access(address, size, kind, site);
  const Owner owner = who_asks(site);
  if (owner == Owner::library || owner == Owner::count) return;
  const bool strong = fences_;
  if (strong || acquires(order)) traffic_.knowledge().learn(published(address));
  if (SharedMemory::writes(kind) && (strong || releases(order))) {
    traffic_.knowledge().publish(published(address));
  }
}

// With fences every atomic operation may order.
void Watch::fence(Site site) {
  if (who_asks(site) == Owner::user) fences_ = true;
}

void Watch::lock(const void* mutex, Site site) {
  if (who_asks(site) == Owner::library) return;
  Knowledge& knowledge = traffic_.knowledge();
  const auto last = unlocked_.find(mutex);
  if (last != unlocked_.end() && knowledge.now()[last->second.first] < last->second.second) {
    const std::string name = names_->variable(reinterpret_cast<std::uintptr_t>(mutex));
    note_shared("the lock" + (name.empty() ? "" : " `" + name + "`"), site.code);
  }
  knowledge.learn(published(mutex));
}

void Watch::unlock(const void* mutex, Site site) {
  if (who_asks(site) == Owner::library) return;
  Knowledge& knowledge = traffic_.knowledge();
  unlocked_[mutex] = {knowledge.current(), knowledge.tick()};
  knowledge.publish(published(mutex));
}

void Watch::initialised(const void* guard, Site site) {
  if (names_->contains(site.code)) traffic_.knowledge().publish(published(guard));
}

void Watch::freed(const void* address, std::size_t size) {
  if (!recording_) memory_.forget(reinterpret_cast<std::uintptr_t>(address), size);
}

void Watch::has_read(const void* content) { traffic_.knowledge().publish(published(content)); }
void Watch::has_alone(const void* content) { traffic_.knowledge().learn(published(content)); }

std::string Watch::name_of(std::uint32_t process) const {
  if (process == Knowledge::main) return "caf_main";
  if (process == Knowledge::world) return "what is left";
  MAZURKA_CHECK(process >= Knowledge::of_actor(0), "who is neither main nor the world is an actor");
  return system_.name_of(process - Knowledge::of_actor(0));
}

void Watch::note_race(std::uintptr_t address, const SharedMemory::Past& earlier,
                      const SharedMemory::Past& later) {
  const std::string one = names_->place(earlier.code);
  const std::string other = names_->place(later.code);
  const std::string key = "data race " + std::min(one, other) + " " + std::max(one, other);
  if (std::find(told_.begin(), told_.end(), key) != told_.end()) return;
  told_.push_back(key);
  const auto deed = [this](const SharedMemory::Past& past) {
    return name_of(past.process) + (SharedMemory::writes(past.kind) ? " writes" : " reads") +
           " at " + names_->place(past.code);
  };
  const std::string variable = names_->variable(address);
  traffic_.problem(FindingKind::data_race,
                   "actors share " + (variable.empty() ? "memory" : "`" + variable + "`") +
                       " with no message in between: " + deed(earlier) + ", and " + deed(later),
                   key);
}

void Watch::note_shared(const std::string& what, std::uintptr_t code) {
  if (!unexplored_.empty()) return;
  unexplored_ = "actors share " + what + " (" + names_->place(code) +
                ") with no message in between, and a handler is performed as a whole";
}

}  // namespace mazurka::caf
