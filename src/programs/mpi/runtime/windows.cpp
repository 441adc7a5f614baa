#include "programs/mpi/runtime/windows.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "core/check.hpp"
#include "programs/mpi/runtime/handles.hpp"

namespace mazurka::mpi {

namespace {

constexpr std::size_t accesses_before_tidying = 64;

// What each rank brings, in this order.
enum Number : std::uint8_t { base_number, size_number, unit_number };

bool contains(const Piece& outer, const Piece& inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

}  // namespace

void* Windows::allocate(std::size_t size) {
  threads::inside_engine = false;
  void* memory = malloc(size);
  threads::inside_engine = true;
  return memory;
}

void Windows::give_back(void* memory) {
  threads::inside_engine = false;
  ::free(memory);
  threads::inside_engine = true;
}

WindowHandle& Windows::held(std::uint64_t handle) const { return own().windows[number_in(handle)]; }

// --- made and freed ------------------------------------------------------------------------------

// Whoever comes first makes it, of what all have brought.
std::uint32_t Windows::find_or_add(const Collective& made, CommunicatorKey key, int how) {
  for (std::size_t number = 0; number < world_.windows.size(); ++number) {
    if (world_.windows[number].key == key) return static_cast<std::uint32_t>(number);
  }
  Window fresh;
  fresh.key = key;
  fresh.made = how;
  for (std::size_t rank = 0; rank < made.arrivals.size(); ++rank) {
    const std::vector<std::int64_t>& numbers = made.arrivals[rank].numbers;
    MAZURKA_CHECK(numbers.size() > unit_number, "each rank brings base, size and unit");
    WindowPart part;
    part.base = static_cast<std::uintptr_t>(numbers[base_number]);
    part.size = static_cast<std::uint64_t>(numbers[size_number]);
    part.unit = static_cast<int>(numbers[unit_number]);
    fresh.parts.push_back(std::move(part));
    WindowLock lock;
    lock.object = object(Kind::lock, key, rank, 2);
    fresh.locks.push_back(std::move(lock));
  }
  fresh.exposures.resize(made.arrivals.size());
  world_.windows.push_back(std::move(fresh));
  return static_cast<std::uint32_t>(world_.windows.size() - 1);
}

std::uint64_t Windows::add_handle(std::uint32_t window, CommunicatorKey key,
                                  const std::vector<int>& members) {
  Communicator hidden;
  hidden.key = key;
  hidden.members = members;
  hidden.name = "a window";
  const std::size_t size = members.size();  // the list they are in may move now
  const std::uint64_t communicator = communicators_.add(std::move(hidden));
  WindowHandle fresh;
  fresh.window = window;
  fresh.communicator = static_cast<std::uint32_t>(number_in(communicator));
  own().communicators.back().freed = true;  // the program has no handle of it
  fresh.held.assign(size, Held::nothing);
  fresh.stack = stack_if_recording();
  own().windows.push_back(std::move(fresh));
  return handle_of(HandleKind::window, own().windows.size() - 1);
}

int Windows::make(const char* call, std::uint64_t communicator, const Contribution& part,
                  std::uint64_t* handle) {
  const std::array<std::int64_t, 3> numbers{
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(part.base)), part.size, part.unit};
  const Collective& made = communicators_.construct(call, communicator, numbers);
  const CommunicatorKey key = key_of(made, 0);
  const std::uint32_t window = find_or_add(made, key, part.made);
  *handle = add_handle(window, key, communicators_.of(communicator).members);
  const std::uintptr_t begin = threads::address_of(part.base);
  if (part.size > 0) {
    own().exposed.push_back(
        {{begin, begin + static_cast<std::uint64_t>(part.size)}, window, false});
  }
  return 0;
}

int Windows::make_shared(const char* call, std::uint64_t communicator, std::int64_t size, int unit,
                         void** base, std::uint64_t* handle) {
  const std::array<std::int64_t, 3> sizes{0, size, unit};
  std::uint64_t total = 0;
  std::uint64_t before = 0;
  const auto rank = static_cast<std::size_t>(communicators_.rank(communicator));
  {
    const Collective& asked = communicators_.construct(call, communicator, sizes);
    for (std::size_t other = 0; other < asked.arrivals.size(); ++other) {
      if (other == rank) before = total;
      total += static_cast<std::uint64_t>(asked.arrivals[other].numbers[size_number]);
    }
  }
  void* const all = rank == 0 ? allocate(std::max<std::uint64_t>(total, 1)) : nullptr;
  const std::array<std::int64_t, 3> numbers{
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(all)), size, unit};
  const Collective& made = communicators_.construct(call, communicator, numbers);
  const CommunicatorKey key = key_of(made, 0);
  const std::uint32_t window = find_or_add(made, key, flavor::shared);
  const auto begin = static_cast<std::uintptr_t>(made.arrivals.front().numbers[base_number]);
  std::uintptr_t next = begin;
  for (WindowPart& part : world_.windows[window].parts) {
    part.base = next;
    next += part.size;
  }
  *handle = add_handle(window, key, communicators_.of(communicator).members);
  own().exposed.push_back({{begin, begin + total}, window, true});
  *base = reinterpret_cast<void*>(begin + before);
  return 0;
}

int Windows::check_no_epoch(const char* call, std::uint64_t handle) {
  const WindowHandle& window = held(handle);
  const bool locked =
      window.all_locked || std::any_of(window.held.begin(), window.held.end(),
                                       [](Held one) { return one != Held::nothing; });
  Check check = checks_.check(call, handle);
  check.that(!locked, error::synchronization, "a lock of the window is not given back")
      .that(!window.started, error::synchronization, "the epoch of MPI_Win_start is not ended")
      .that(!window.posted, error::synchronization, "the epoch of MPI_Win_post is not ended");
  const WindowAccess* pending = world_.window_log.pending(self().rank, window.window);
  if (pending != nullptr) {
    check.that(false, error::synchronization,
               std::string(pending->call) + " is not complete: its epoch is not ended");
  }
  return check.failed();
}

int Windows::free(const char* call, std::uint64_t* handle) {
  if (const int code = check_no_epoch(call, *handle); code != 0) return code;
  const std::uint32_t number = held(*handle).window;
  communicators_.meet(call, held(*handle).communicator);
  const Window& window = world_.windows[number];
  const int own_rank = rank(*handle);
  const bool owns =
      window.made == flavor::allocated || (window.made == flavor::shared && own_rank == 0);
  std::erase_if(own().exposed, [&](const Exposed& one) { return one.window == number; });
  if (owns)
    give_back(reinterpret_cast<void*>(window.parts[static_cast<std::size_t>(own_rank)].base));
  held(*handle).freed = true;
  *handle = null_window;
  return 0;
}

int Windows::attach(const char* call, std::uint64_t handle, void* base, std::int64_t size) {
  Window& window = of(handle);
  const int code = checks_.check(call, handle)
                       .that(window.made == flavor::dynamic, error::flavor,
                             "the window was not made by MPI_Win_create_dynamic")
                       .failed();
  if (code != 0) return code;
  const std::uintptr_t begin = threads::address_of(base);
  const Piece piece{begin, begin + static_cast<std::uint64_t>(size)};
  window.parts[static_cast<std::size_t>(rank(handle))].attached.push_back(piece);
  own().exposed.push_back({piece, held(handle).window, false});
  return 0;
}

int Windows::detach(const char* call, std::uint64_t handle, const void* base) {
  std::vector<Piece>& all = of(handle).parts[static_cast<std::size_t>(rank(handle))].attached;
  const std::uintptr_t begin = threads::address_of(base);
  const auto gone = std::erase_if(all, [&](const Piece& one) { return one.begin == begin; });
  const int code = checks_.check(call, handle)
                       .that(gone != 0, error::attachment, "no memory was attached there")
                       .failed();
  if (code != 0) return code;
  std::erase_if(own().exposed, [&](const Exposed& one) {
    return one.window == held(handle).window && one.piece.begin == begin;
  });
  return 0;
}

// --- where things are ----------------------------------------------------------------------------

std::uintptr_t Windows::address(const Window& window, int target, std::int64_t displacement) {
  const WindowPart& part = window.parts[static_cast<std::size_t>(target)];
  if (window.made == flavor::dynamic) return static_cast<std::uintptr_t>(displacement);
  return part.base + static_cast<std::uintptr_t>(displacement * part.unit);
}

std::vector<Piece> Windows::pieces(const Window& window, int target, std::int64_t displacement,
                                   const Datatype& type, std::uint64_t count) const {
  const WindowPart& part = window.parts[static_cast<std::size_t>(target)];
  const std::uintptr_t base = address(window, target, displacement);
  std::vector<Piece> found;
  bool inside = true;
  for_each_piece(type, count, [&](std::int64_t offset, std::size_t bytes) {
    const std::uintptr_t begin = base + static_cast<std::uintptr_t>(offset);
    const Piece piece{begin, begin + bytes};
    inside = inside && (window.made == flavor::dynamic
                            ? std::any_of(part.attached.begin(), part.attached.end(),
                                          [&](const Piece& one) { return contains(one, piece); })
                            : contains({part.base, part.base + part.size}, piece));
    found.push_back(piece);
  });
  if (!inside) found.clear();
  return found;
}

void Windows::tidy_log() {
  if (world_.window_log.size() < accesses_before_tidying) return;
  std::vector<const VectorClock*> everybody;
  state_.processes.for_each([&](const Process& one) {
    if (one.rank >= 0 && !one.finished) everybody.push_back(&one.knowledge.now);
  });
  world_.window_log.forget(everybody);
}

}  // namespace mazurka::mpi
