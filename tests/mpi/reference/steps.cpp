#include "mpi/reference/steps.hpp"

#include <algorithm>

namespace mazurka::mpi_reference {

// --- steps ---------------------------------------------------------------------------------------

void Steps::advance(const State& state, std::size_t r) {
  following_.push_back(state);
  ++following_.back().ranks[r].at;
  following_.back().ranks[r].stage = stage::before;
}

void Steps::do_skip(const State& state, std::size_t r, const Operation& one) {
  State next = state;
  const bool jumps = logs_.last(next.ranks[r].log) % one.words[0] == one.words[1];
  if (jumps) next.ranks[r].at = static_cast<std::uint8_t>(next.ranks[r].at + one.words[2]);
  advance(next, r);
}

void Steps::do_step(const State& state, std::size_t r, const Operation& one) {
  const Rank& rank = state.ranks[r];
  const std::size_t before = following_.size();
  switch (one.kind) {
    case Kind::send: do_send(state, r, one); return;
    case Kind::isend: do_isend(state, r, one, rank.at, one.words[2]); return;
    case Kind::sendinit:
    case Kind::recvinit: advance(state, r); return;
    case Kind::start: do_start(state, r, one); return;
    case Kind::recv: do_recv(state, r, one.words[0], one.words[1]); return;
    case Kind::take: do_recv(state, r, rank.probed_source, rank.probed_tag); return;
    case Kind::irecv: {
      State next = state;
      post(next, r, rank.at, one.words[0], one.words[1]);
      advance(next, r);
      return;
    }
    case Kind::sendrecv: do_sendrecv(state, r, one); return;
    case Kind::wait: do_wait(state, r, one.words); return;
    case Kind::waitany: do_waitany(state, r, one.words); return;
    case Kind::waitsome: do_waitsome(state, r, one.words); return;
    case Kind::test:
    case Kind::testall:
      do_testall(state, r, one.words);
      fails(state, r, 0, before, active(state, r, one.words));
      return;
    case Kind::testany:
      do_waitany(state, r, one.words);
      fails(state, r, answer::not_yet, before, active(state, r, one.words));
      return;
    case Kind::testsome:
      do_waitsome(state, r, one.words);
      fails(state, r, 0, before, active(state, r, one.words));
      return;
    case Kind::cancel: do_cancel(state, r, one.words[0]); return;
    case Kind::free: {
      State next = state;
      next.ranks[r].requests[std::size_t(one.words[0])] = request_is::released;
      advance(next, r);
      return;
    }
    case Kind::probe:
    case Kind::iprobe:
    case Kind::mprobe:
    case Kind::improbe: do_probe(state, r, one); return;
    case Kind::mrecv: do_mrecv(state, r, false); return;
    case Kind::imrecv: do_mrecv(state, r, true); return;
    case Kind::collective: do_collective(state, r, one); return;
    case Kind::skip: do_skip(state, r, one); return;
  }
}

const std::vector<State>& Steps::following(const State& state) {
  following_.clear();
  for (std::size_t r = 0; r < program_.size(); ++r) {
    const std::size_t at = state.ranks[r].at;
    if (at < program_[r].size()) do_step(state, r, program_[r][at]);
  }
  for (std::size_t receive = 0; receive < state.receives.count; ++receive) {
    do_matches(state, receive);
  }
  for (State& one : following_) {
    if (options_.eager) settle(one);
  }
  return following_;
}

std::string Steps::outcome(const State& state) const {
  bool deadlock = false;
  std::string seen = "saw ";
  std::string where = "deadlock ";
  for (std::size_t r = 0; r < program_.size(); ++r) {
    const Rank& rank = state.ranks[r];
    if (rank.at < program_[r].size()) deadlock = true;
    if (r > 0) seen += '/';
    if (r > 0) where += '/';
    seen += logs_.text(rank.log);
    where += std::to_string(rank.at);
  }
  return deadlock ? where : seen;
}

// --- messages ------------------------------------------------------------------------------------

void Steps::put(State& state, const Message& message) {
  std::size_t at = 0;
  const auto key = [](const Message& one) { return one.source * max_ranks + one.destination; };
  while (at < state.messages.count && key(state.messages[at]) <= key(message)) ++at;
  state.messages.insert(at, message);
}

void Steps::post(State& state, std::size_t r, std::size_t request, int source, int tag) {
  Receive receive;
  receive.tag = static_cast<std::int16_t>(tag);
  receive.source = static_cast<std::int8_t>(source);
  receive.request = static_cast<std::uint8_t>(request);
  receive.destination = static_cast<std::uint8_t>(r);
  std::size_t at = 0;
  while (at < state.receives.count && state.receives[at].destination <= r) ++at;
  state.receives.insert(at, receive);
  state.ranks[r].requests[request] = request_is::pending;
}

// Whether the message is the first of its sender that fits, and none of the receives before
// `earlier` fits it.
bool Steps::can_take(const State& state, const Receive& receive, std::size_t earlier,
                     std::size_t message) {
  const Message& own = state.messages[message];
  if (!fits(receive, own)) return false;
  for (std::size_t before = 0; before < message; ++before) {
    const Message& other = state.messages[before];
    if (other.source == own.source && fits(receive, other)) return false;
  }
  for (std::size_t at = 0; at < earlier; ++at) {
    if (fits(state.receives[at], own)) return false;
  }
  return true;
}

std::vector<std::size_t> Steps::candidates(const State& state, std::size_t receive) const {
  std::vector<std::size_t> found;
  for (std::size_t message = 0; message < state.messages.count; ++message) {
    if (can_take(state, state.receives[receive], receive, message)) found.push_back(message);
  }
  return found;
}

void Steps::tell_sender(State& state, const Message& message) {
  Rank& sender = state.ranks[message.source];
  if (message.waits == who_waits::sendrecv) sender.stage |= stage::send_matched;
  if (message.waits != who_waits::request) return;
  std::uint16_t& request = sender.requests[message.request];
  if (request == request_is::pending) request = request_is::sent;
}

void Steps::match(State& state, std::size_t receive, std::size_t message) {
  const Receive& taker = state.receives[receive];
  std::uint16_t& request = state.ranks[taker.destination].requests[taker.request];
  const Message& taken = state.messages[message];
  if (request == request_is::pending) {
    request = static_cast<std::uint16_t>(request_is::received + taken.value);
  }
  tell_sender(state, taken);
  state.messages.erase(message);
  state.receives.erase(receive);
}

void Steps::do_matches(const State& state, std::size_t receive) {
  if (options_.eager && state.receives[receive].source != any) return;
  for (const std::size_t message : candidates(state, receive)) {
    following_.push_back(state);
    match(following_.back(), receive, message);
  }
}

// Eager: with all matches made whose source the program names.
void Steps::settle(State& state) const {
  for (std::size_t receive = 0; receive < state.receives.count; ++receive) {
    if (state.receives[receive].source == any) continue;
    const std::vector<std::size_t> possible = candidates(state, receive);
    if (possible.empty()) continue;
    match(state, receive, possible.front());
    receive = static_cast<std::size_t>(-1);  // again from the first
  }
}

std::vector<bool> Steps::ways_to_send(Mode mode) const {
  if (mode == Mode::synchronous) return {true};
  if (mode == Mode::buffered) return {false};
  switch (options_.buffering) {
    case Buffering::infinite: return {false};
    case Buffering::zero: return {true};
    default: return {false, true};
  }
}

void note_choice(Rank& rank, Mode mode, bool waits) {
  if (mode == Mode::standard && waits) rank.choices |= 1U << rank.at;
}

void Steps::do_isend(const State& state, std::size_t r, const Operation& one, std::size_t request,
                     int value) {
  for (const bool waits : ways_to_send(one.mode)) {
    State next = state;
    Message message;
    message.value = static_cast<std::int16_t>(value);
    message.tag = static_cast<std::int16_t>(one.words[1]);
    message.source = static_cast<std::uint8_t>(r);
    message.destination = static_cast<std::uint8_t>(one.words[0]);
    message.request = static_cast<std::uint8_t>(request);
    message.waits = waits ? who_waits::request : who_waits::nobody;
    put(next, message);
    next.ranks[r].requests[request] = waits ? request_is::pending : request_is::sent;
    note_choice(next.ranks[r], one.mode, waits);
    if (one.kind == Kind::send) {
      next.ranks[r].stage = stage::inside;
      following_.push_back(next);
    } else {
      advance(next, r);
    }
  }
}

void Steps::do_send(const State& state, std::size_t r, const Operation& one) {
  const std::size_t at = state.ranks[r].at;
  if (state.ranks[r].stage != stage::before) {
    do_wait(state, r, {static_cast<int>(at)});
  } else {
    do_isend(state, r, one, at, one.words[2]);
  }
}

void Steps::do_recv(const State& state, std::size_t r, int source, int tag) {
  const std::size_t at = state.ranks[r].at;
  if (state.ranks[r].stage != stage::before) {
    do_wait(state, r, {static_cast<int>(at)});
    return;
  }
  State next = state;
  post(next, r, at, source, tag);
  next.ranks[r].stage = stage::inside;
  following_.push_back(next);
}

// The receive and the send begin together.
void Steps::do_sendrecv(const State& state, std::size_t r, const Operation& one) {
  const Rank& rank = state.ranks[r];
  if (rank.stage != stage::before) {
    if ((rank.stage & stage::send_matched) != 0) do_wait(state, r, {rank.at});
    return;
  }
  for (const bool waits : ways_to_send(Mode::standard)) {
    State next = state;
    post(next, r, rank.at, one.words[3], one.words[4]);
    Message message;
    message.value = static_cast<std::int16_t>(one.words[2]);
    message.tag = static_cast<std::int16_t>(one.words[1]);
    message.source = static_cast<std::uint8_t>(r);
    message.destination = static_cast<std::uint8_t>(one.words[0]);
    message.waits = waits ? who_waits::sendrecv : who_waits::nobody;
    put(next, message);
    next.ranks[r].stage = waits ? stage::inside : stage::inside | stage::send_matched;
    note_choice(next.ranks[r], Mode::standard, waits);
    following_.push_back(next);
  }
}

void Steps::do_start(const State& state, std::size_t r, const Operation& one) {
  const auto request = static_cast<std::size_t>(one.words[1]);
  const Operation& what = program_[r][request];
  if (what.kind == Kind::sendinit) {
    do_isend(state, r, what, request, one.words[0]);
    return;
  }
  State next = state;
  post(next, r, request, what.words[0], what.words[1]);
  advance(next, r);
}

void Steps::do_probe(const State& state, std::size_t r, const Operation& one) {
  Receive receive;
  receive.source = static_cast<std::int8_t>(one.words[0]);
  receive.tag = static_cast<std::int16_t>(one.words[1]);
  receive.destination = static_cast<std::uint8_t>(r);
  const bool nonblocking = one.kind == Kind::iprobe || one.kind == Kind::improbe;
  const std::size_t before = following_.size();
  for (std::size_t at = 0; at < state.messages.count; ++at) {
    if (!can_take(state, receive, state.receives.count, at)) continue;
    State next = state;
    Rank& rank = next.ranks[r];
    const Message& message = state.messages[at];
    if (nonblocking) see(rank, 1);
    see(rank, message.source);
    see(rank, message.tag);
    if (one.kind == Kind::probe) {
      rank.probed_source = static_cast<std::int8_t>(message.source);
      rank.probed_tag = message.tag;
    } else if (one.kind != Kind::iprobe) {
      rank.held = message;
      next.messages.erase(at);
    }
    advance(next, r);
  }
  if (nonblocking) fails(state, r, 0, before, {0});
}

void Steps::do_mrecv(const State& state, std::size_t r, bool nonblocking) {
  State next = state;
  Rank& rank = next.ranks[r];
  const Message message = rank.held;
  rank.held = {};
  if (message.value != 0) {
    tell_sender(next, message);
    rank.requests[rank.at] = static_cast<std::uint16_t>(request_is::received + message.value);
    if (!nonblocking) consume(next, r, rank.at);
  }
  advance(next, r);
}

}  // namespace mazurka::mpi_reference
