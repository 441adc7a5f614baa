// Steps that ask about requests, and collectives.
#include "mpi/reference/steps.hpp"

#include <algorithm>

namespace mazurka::mpi_reference {

// --- requests ------------------------------------------------------------------------------------

std::vector<int> Steps::active(const State& state, std::size_t r,
                               const std::vector<int>& requests) const {
  std::vector<int> found;
  for (const int request : requests) {
    const std::uint16_t is = state.ranks[r].requests[std::size_t(request)];
    if (is != request_is::null && is != request_is::released) found.push_back(request);
  }
  return found;
}

bool Steps::is_complete(const State& state, std::size_t r, int request) const {
  const std::uint16_t is = state.ranks[r].requests[std::size_t(request)];
  if (is >= request_is::collective && is < request_is::received) {
    return is_through(state, r, program_[r][std::size_t(request)], is - request_is::collective);
  }
  return is != request_is::pending;
}

// A complete request becomes null; what a receive has got is seen.
void Steps::consume(State& state, std::size_t r, int request) {
  std::uint16_t& is = state.ranks[r].requests[std::size_t(request)];
  const std::uint16_t was = is;
  is = request_is::null;
  if (was == request_is::cancelled) see(state.ranks[r], answer::cancelled);
  if (was >= request_is::received) {
    see(state.ranks[r], was - request_is::received);
  } else if (was >= request_is::collective) {
    see_result(state, r, program_[r][std::size_t(request)], was - request_is::collective);
  }
}

void Steps::do_wait(const State& state, std::size_t r, const std::vector<int>& requests) {
  for (const int request : requests) {
    if (!is_complete(state, r, request)) return;
  }
  State next = state;
  for (const int request : requests) consume(next, r, request);
  advance(next, r);
}

void Steps::do_waitany(const State& state, std::size_t r, const std::vector<int>& requests) {
  const std::vector<int> asked = active(state, r, requests);
  if (asked.empty()) {
    State next = state;
    see(next.ranks[r], answer::nothing_to_wait_for);
    advance(next, r);
  }
  for (std::size_t place = 0; place < requests.size(); ++place) {
    const int request = requests[place];
    const bool is_asked = std::find(asked.begin(), asked.end(), request) != asked.end();
    if (!is_asked || !is_complete(state, r, request)) continue;
    State next = state;
    see(next.ranks[r], static_cast<int>(place));
    consume(next, r, request);
    advance(next, r);
  }
}

// Sees a bit for each; eager: all that are complete, else any of them.
void Steps::do_waitsome(const State& state, std::size_t r, const std::vector<int>& requests) {
  if (active(state, r, requests).empty()) {
    do_waitany(state, r, requests);
    return;
  }
  unsigned complete = 0;
  for (const int request : active(state, r, requests)) {
    const auto place = std::find(requests.begin(), requests.end(), request) - requests.begin();
    if (is_complete(state, r, request)) complete |= 1U << static_cast<unsigned>(place);
  }
  for (unsigned chosen = complete; chosen != 0; chosen = (chosen - 1) & complete) {
    State next = state;
    see(next.ranks[r], static_cast<int>(chosen));
    for (std::size_t place = 0; place < requests.size(); ++place) {
      if ((chosen >> place & 1U) != 0) consume(next, r, requests[place]);
    }
    advance(next, r);
    if (options_.eager) return;
  }
}

void Steps::do_testall(const State& state, std::size_t r, const std::vector<int>& requests) {
  const std::vector<int> asked = active(state, r, requests);
  for (const int request : asked) {
    if (!is_complete(state, r, request)) return;
  }
  State next = state;
  see(next.ranks[r], 1);
  for (const int request : asked) consume(next, r, request);
  advance(next, r);
}

// A test, of which following_ has what it can succeed with from `before` on.
void Steps::fails(const State& state, std::size_t r, int answer, std::size_t before,
                  const std::vector<int>& asked) {
  const bool succeeds = following_.size() > before;
  if (succeeds && (options_.eager || asked.empty())) return;
  State next = state;
  see(next.ranks[r], answer);
  advance(next, r);
}

void Steps::do_cancel(const State& state, std::size_t r, int request) {
  State next = state;
  std::uint16_t& is = next.ranks[r].requests[std::size_t(request)];
  if (is == request_is::pending) {
    is = request_is::cancelled;
    for (std::size_t at = 0; at < next.receives.count; ++at) {
      const Receive& one = next.receives[at];
      if (one.destination != r || one.request != request) continue;
      next.receives.erase(at);
      break;
    }
  }
  advance(next, r);
}

// --- collectives: the n-th of a rank is the n-th of all ------------------------------------------

std::size_t Steps::arrive(State& state, std::size_t r, const Operation& one) const {
  const auto communicator = static_cast<std::size_t>(one.words[1]);
  const std::size_t nth = state.ranks[r].arrived[communicator]++;
  state.collectives[communicator].at(nth)[r] = logs_.last(state.ranks[r].log);
  return nth;
}

bool Steps::is_through(const State& state, std::size_t r, const Operation& one,
                       std::size_t nth) const {
  const Contributions& there = state.collectives[std::size_t(one.words[1])][nth];
  const auto root = static_cast<std::size_t>(one.words[0]);
  for (std::size_t other = 0; other < program_.size(); ++other) {
    bool needed = true;
    if (options_.loose) {
      switch (one.shape) {
        case Shape::bcast:
        case Shape::scatter: needed = other == root; break;
        case Shape::reduce:
        case Shape::gather: needed = r == root; break;
        case Shape::scan:
        case Shape::exscan: needed = other < r; break;
        default: break;
      }
    }
    if (needed && there[other] == not_there) return false;
  }
  return true;
}

// What the interpreter makes of the data.
void Steps::see_result(State& state, std::size_t r, const Operation& one, std::size_t nth) {
  const Contributions& there = state.collectives[std::size_t(one.words[1])][nth];
  const auto root = static_cast<std::size_t>(one.words[0]);
  const auto sum = [&](std::size_t end, int weight) {
    int all = 0;
    for (std::size_t other = 0; other < end; ++other) {
      all += there[other] * (1 + weight * static_cast<int>(other));
    }
    return all;
  };
  const std::size_t size = program_.size();
  Rank& rank = state.ranks[r];
  const auto own = static_cast<int>(r);
  switch (one.shape) {
    case Shape::barrier: return;
    case Shape::bcast: see(rank, there[root]); return;
    case Shape::scatter: see(rank, there[root] + own); return;
    case Shape::reduce:
      if (r == root) see(rank, sum(size, 0));
      return;
    case Shape::gather:
      if (r == root) see(rank, sum(size, 1));
      return;
    case Shape::allreduce: see(rank, sum(size, 0)); return;
    case Shape::alltoall: see(rank, sum(size, 1) + own); return;
    case Shape::scan: see(rank, sum(r + 1, 0)); return;
    case Shape::exscan:
      if (r > 0) see(rank, sum(r, 0));
      return;
  }
}

void Steps::do_collective(const State& state, std::size_t r, const Operation& one) {
  State next = state;
  Rank& rank = next.ranks[r];
  if (one.nonblocking) {
    rank.requests[rank.at] =
        static_cast<std::uint16_t>(request_is::collective + arrive(next, r, one));
    advance(next, r);
  } else if (rank.stage == stage::before) {
    arrive(next, r, one);
    rank.stage = stage::inside;
    following_.push_back(next);
  } else {
    const std::size_t nth = rank.arrived[std::size_t(one.words[1])] - 1U;
    if (!is_through(state, r, one, nth)) return;
    see_result(next, r, one, nth);
    advance(next, r);
  }
}

}  // namespace mazurka::mpi_reference
