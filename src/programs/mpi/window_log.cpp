#include "programs/mpi/window_log.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"

namespace mazurka::mpi {

namespace {

constexpr std::uint64_t replace = 0x3c;  // MPI_REPLACE
constexpr std::uint64_t no_op = 0x3d;    // MPI_NO_OP

// 0 stands for a comparison with a swap, which replaces or does nothing.
bool go_together(std::uint64_t one, std::uint64_t other) {
  if (one == other || one == no_op || other == no_op) return true;
  return (one == 0 && other == replace) || (one == replace && other == 0);
}

bool may_overlap(const WindowAccess& one, const WindowAccess& other) {
  if (one.touch == Touch::read && other.touch == Touch::read) return true;
  if (one.touch != Touch::update || other.touch != Touch::update) return false;
  if (one.window != other.window || one.type != other.type) return false;
  return one.process == other.process || go_together(one.op, other.op);
}

bool overlap(const Piece& one, const Piece& other) {
  return one.begin < other.end && other.begin < one.end;
}

// Two updates, of the same type: whether an element of one begins within an element of the other.
bool share_parts(const WindowAccess& one, const WindowAccess& other) {
  if (one.touch != Touch::update || one.grain <= 1 || one.process == other.process) return false;
  if (one.op == no_op && other.op == no_op) return false;
  return std::any_of(one.pieces.begin(), one.pieces.end(), [&](const Piece& a) {
    return std::any_of(other.pieces.begin(), other.pieces.end(), [&](const Piece& b) {
      const std::uintptr_t between = std::max(a.begin, b.begin) - std::min(a.begin, b.begin);
      return overlap(a, b) && between % one.grain != 0;
    });
  });
}

bool comes_before(const WindowAccess& earlier, const WindowAccess& fresh,
                  const WindowLog::Clock& known) {
  if (earlier.pending) return false;
  return earlier.process == fresh.process || known[index(earlier.process)] >= earlier.tick;
}

}  // namespace

bool overlap(const std::vector<Piece>& one, const std::vector<Piece>& other) {
  return std::any_of(one.begin(), one.end(), [&](const Piece& a) {
    return std::any_of(other.begin(), other.end(), [&](const Piece& b) { return overlap(a, b); });
  });
}

const WindowAccess* WindowLog::conflict(const WindowAccess& fresh, const Clock& known) const {
  const auto is_in_conflict = [&](const WindowAccess& earlier) {
    return !comes_before(earlier, fresh, known) &&
           (!may_overlap(earlier, fresh) || share_parts(earlier, fresh)) &&
           overlap(earlier.pieces, fresh.pieces);
  };
  for (const List<WindowAccess>* all : {&remote_, &plain_}) {
    const auto found = std::find_if(all->begin(), all->end(), is_in_conflict);
    if (found != all->end()) return &*found;
  }
  return nullptr;
}

std::uint64_t WindowLog::add(WindowAccess fresh) {
  MAZURKA_CHECK(fresh.process != no_process && fresh.rank >= 0,
                "an access is made by a rank's process");
  fresh.id = ++last_;
  fresh.pending = true;
  remote_.push_back(std::move(fresh));
  return last_;
}

void WindowLog::add_plain(const WindowAccess& fresh) {
  MAZURKA_CHECK(fresh.pieces.size() == 1, "a load or a store is one piece");
  const Piece& piece = fresh.pieces.front();
  for (std::size_t at = plain_.size(); at-- > 0;) {
    WindowAccess& known = plain_[at];
    if (known.process != fresh.process || known.tick != fresh.tick || known.touch != fresh.touch) {
      continue;
    }
    Piece& there = known.pieces.front();
    if (piece.begin > there.end || there.begin > piece.end) continue;
    there.begin = std::min(there.begin, piece.begin);
    there.end = std::max(there.end, piece.end);
    return;
  }
  plain_.push_back(fresh);
}

void WindowLog::complete(std::uint64_t id, std::uint32_t tick) {
  for (WindowAccess& one : remote_) {
    if (one.id != id || !one.pending) continue;
    one.pending = false;
    one.tick = tick;
  }
}

void WindowLog::complete(std::int32_t rank, std::uint32_t window, int target, std::uint32_t tick) {
  for (WindowAccess& one : remote_) {
    if (!one.pending || one.rank != rank || one.window != window || one.target != target) continue;
    one.pending = false;
    one.tick = tick;
  }
}

void WindowLog::leave(std::int32_t rank, std::uint32_t window) {
  for (WindowAccess& one : remote_) {
    if (one.pending && one.rank == rank && one.window == window) one.left = true;
  }
}

void WindowLog::hand_over(std::int32_t from, std::uint32_t window, int target, ProcessId process,
                          std::uint32_t tick) {
  for (WindowAccess& one : remote_) {
    if (!one.pending || one.rank != from || one.window != window || one.target != target) continue;
    one.pending = false;
    one.process = process;
    one.tick = tick;
  }
}

const WindowAccess* WindowLog::pending(std::int32_t rank, std::uint32_t window) const {
  const auto found = std::find_if(remote_.begin(), remote_.end(), [&](const WindowAccess& one) {
    return one.pending && !one.left && one.rank == rank && one.window == window;
  });
  return found == remote_.end() ? nullptr : &*found;
}

void WindowLog::forget(const std::vector<const Clock*>& everybody) {
  const auto is_known = [&](const WindowAccess& one) {
    return !one.pending && std::all_of(everybody.begin(), everybody.end(), [&](const Clock* clock) {
      return (*clock)[index(one.process)] >= one.tick;
    });
  };
  std::erase_if(remote_, is_known);
  std::erase_if(plain_, is_known);
}

}  // namespace mazurka::mpi
