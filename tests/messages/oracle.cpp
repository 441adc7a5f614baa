#include "messages/oracle.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_map>

namespace mazurka::messages {

namespace {

constexpr unsigned none = 0xff;

struct Waiting {  // in a queue
  Op op{};
  unsigned actor = 0;
  unsigned request = 0;
};

struct RequestState {
  bool made = false;
  bool done = false;  // mailboxes, semaphores, barriers, conditions
  unsigned partner = none;
  unsigned number = 0;     // among the same operations on its object
  unsigned answer = none;  // condition: the number of the signal
};

struct ActorState {
  unsigned position = 0;
  unsigned value = 0;
  unsigned picked = none;
  unsigned picked_from = 0;
  bool failed = false;
  std::array<RequestState, most_requests> requests;
};

// What happened, as far as dependence asks.
struct Occurrence {
  Move move;
  Op op{};
  unsigned object = 0;
  unsigned number = 0;                          // n-th operation of its sort on the object
  std::vector<std::pair<Op, unsigned>> tested;  // test: operation and object of each request
  Op awaited = Op::local;                       // wait: what it waits for
  unsigned awaited_number = 0;
  unsigned answer = none;
  unsigned released_number = none;  // unlock: which lock it withdraws
  std::uint64_t predecessors = 0;
};

struct State {
  std::array<ActorState, most_actors> actors;
  std::array<std::deque<Waiting>, most_objects> mailboxes;
  std::array<std::deque<Waiting>, most_objects> semaphores;
  std::array<unsigned, most_objects> credits{};
  std::array<std::deque<Waiting>, most_objects> mutexes;
  std::array<std::vector<Waiting>, most_objects> rounds;  // of barriers
  std::array<std::deque<Waiting>, most_objects> conditions;
  std::map<std::pair<Op, unsigned>, unsigned> count;  // operations so far per sort and object
};

class Simulation {
 public:
  explicit Simulation(const Model& model) : model_(model) { state_.credits.fill(semaphore_credit); }

  [[nodiscard]] const State& state() const { return state_; }
  void restore(const State& state) {
    state_ = state;
    steps_.pop_back();
  }

  [[nodiscard]] bool running(std::size_t actor) const {
    return !state_.actors[actor].failed &&
           state_.actors[actor].position < model_.actors[actor].size();
  }

  [[nodiscard]] bool enabled(std::size_t actor) const {
    if (!running(actor)) return false;
    const unsigned request = awaited(actor);
    return request == none || fulfilled(actor, request);
  }

  [[nodiscard]] unsigned choices(std::size_t actor) const {
    const ModelStep& step = next(actor);
    std::size_t count = 1;
    if (step.op == Op::test) count = select(actor, step.requests, true).size();
    if (step.op == Op::pick) count = select(actor, step.requests, false).size();
    return static_cast<unsigned>(std::max<std::size_t>(count, 1));
  }

  void take(Move move) {
    Occurrence taken = describe(move);
    apply(move);
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      if (dependent(steps_[at], taken) || dependent(taken, steps_[at])) {
        taken.predecessors |= std::uint64_t{1} << at;
      }
    }
    steps_.push_back(std::move(taken));
  }

  [[nodiscard]] bool stuck() const {  // somebody waits, and not by a choice of its own
    bool waiting = false;
    bool failed = false;
    for (std::size_t actor = 0; actor < model_.actors.size(); ++actor) {
      failed = failed || state_.actors[actor].failed;
      if (!running(actor)) continue;
      waiting = true;
      const ModelStep& step = next(actor);
      if (step.op == Op::wait && step.requests == 0 &&
          !select(actor, state_.actors[actor].picked_from, true).empty()) {
        return false;
      }
    }
    return waiting && !failed;
  }

  [[nodiscard]] std::string trace() const {
    std::string name;
    std::uint64_t placed = 0;
    for (std::size_t count = 0; count < steps_.size(); ++count) {
      std::size_t best = steps_.size();
      for (std::size_t at = 0; at < steps_.size(); ++at) {
        if ((placed >> at & 1U) != 0 || (steps_[at].predecessors & ~placed) != 0) continue;
        if (best == steps_.size() || steps_[at].move.actor < steps_[best].move.actor) best = at;
      }
      placed |= std::uint64_t{1} << best;
      name += static_cast<char>('a' + steps_[best].move.actor);
      if (steps_[best].move.choice != 0) name += std::to_string(steps_[best].move.choice);
    }
    return name;
  }

  [[nodiscard]] std::string text() const {
    std::string text;
    for (std::size_t actor = 0; actor < model_.actors.size(); ++actor) {
      const ActorState& one = state_.actors[actor];
      for (const unsigned part : {one.position, one.value, one.picked, unsigned{one.failed}}) {
        text += std::to_string(part) + ' ';
      }
      text += '|';
    }
    return text;
  }

  // The whole state: what decides how things can go on.
  [[nodiscard]] std::string key() const {
    std::string key = text();
    for (std::size_t actor = 0; actor < model_.actors.size(); ++actor) {
      for (const RequestState& request : state_.actors[actor].requests) {
        key += static_cast<char>('0' + (request.made ? 1 : 0) + (request.done ? 2 : 0));
        key += static_cast<char>('0' + request.partner % 64);
      }
    }
    const auto add = [&](const auto& queues) {
      for (const auto& queue : queues) {
        key += ';';
        for (const Waiting& one : queue) {
          key += static_cast<char>('A' + static_cast<int>(one.op));
          key += static_cast<char>('0' + one.actor);
          key += static_cast<char>('0' + one.request);
        }
      }
    };
    add(state_.mailboxes);
    add(state_.semaphores);
    add(state_.mutexes);
    add(state_.rounds);
    add(state_.conditions);
    for (const unsigned credit : state_.credits) key += static_cast<char>('0' + credit);
    return key;
  }

  [[nodiscard]] std::set<std::string> failures() const {
    std::set<std::string> found;
    for (std::size_t actor = 0; actor < model_.actors.size(); ++actor) {
      if (!state_.actors[actor].failed) continue;
      found.insert("assert p" + std::to_string(actor) + ':' +
                   std::to_string(state_.actors[actor].position - 1));
    }
    return found;
  }

 private:
  [[nodiscard]] const ModelStep& next(std::size_t actor) const {
    return model_.actors[actor][state_.actors[actor].position];
  }

  [[nodiscard]] unsigned awaited(std::size_t actor) const {
    const ModelStep& step = next(actor);
    if (step.op != Op::wait) return none;
    unsigned request = state_.actors[actor].picked;
    for (unsigned at = 0; step.requests != 0 && at < most_requests; ++at) {
      if ((step.requests >> at & 1U) != 0) request = at;
    }
    if (request != none && !state_.actors[actor].requests[request].made) return none;
    return request;
  }

  // A mutex's request is fulfilled when no earlier one is in the queue.
  [[nodiscard]] bool fulfilled(std::size_t actor, unsigned request) const {
    const ModelStep& step = request_step(model_.actors[actor], request);
    const RequestState& one = state_.actors[actor].requests[request];
    if (step.op != Op::lock) return one.done;
    const auto& queue = state_.mutexes[step.x];
    return std::none_of(queue.begin(), queue.end(), [&](const Waiting& other) {
      return state_.actors[other.actor].requests[other.request].number < one.number;
    });
  }

  [[nodiscard]] std::vector<unsigned> select(std::size_t actor, unsigned among,
                                             bool only_fulfilled) const {
    std::vector<unsigned> found;
    for (unsigned request = 0; request < most_requests; ++request) {
      if ((among >> request & 1U) == 0 || !state_.actors[actor].requests[request].made) continue;
      if (!only_fulfilled || fulfilled(actor, request)) found.push_back(request);
    }
    return found;
  }

  [[nodiscard]] unsigned count(Op op, unsigned object) const {
    const auto found = state_.count.find({op, object});
    return found == state_.count.end() ? 0 : found->second;
  }

  [[nodiscard]] Occurrence describe(Move move) const {
    const ModelStep& step = next(move.actor);
    Occurrence taken{.move = move, .op = step.op, .object = step.x, .tested = {}};
    const Actor& actor = model_.actors[move.actor];
    if (step.op == Op::unlock) {
      taken.object = request_step(actor, step.x).x;
      const RequestState& request = state_.actors[move.actor].requests[step.x];
      if (request.made && !request.done) taken.released_number = request.number;
    }
    if (step.op == Op::broadcast) taken.op = Op::signal;
    taken.number = count(taken.op, taken.object);
    if (step.op == Op::test) {
      for (const unsigned request : select(move.actor, step.requests, false)) {
        const ModelStep& made = request_step(actor, request);
        taken.tested.emplace_back(made.op, made.x);
      }
    }
    if (const unsigned request = awaited(move.actor); request != none) {
      const ModelStep& made = request_step(actor, request);
      taken.awaited = made.op;
      taken.object = made.x;
      taken.awaited_number = state_.actors[move.actor].requests[request].number;
      taken.answer = state_.actors[move.actor].requests[request].answer;
    }
    return taken;
  }

  // Whether `first` and `second` are dependent; asked in both orders.
  static bool dependent(const Occurrence& first, const Occurrence& second) {
    if (first.move.actor == second.move.actor) return true;
    for (const auto& [op, object] : first.tested) {
      if (object == second.object && second.op == answering(op)) return true;
    }
    if (first.op == Op::wait && first.object == second.object &&
        second.op == answering(first.awaited)) {
      switch (first.awaited) {
        case Op::send:
        case Op::receive: return second.number == first.awaited_number;
        case Op::acquire: return second.number + semaphore_credit == first.awaited_number;
        case Op::lock:
          return second.released_number != none && second.released_number < first.awaited_number;
        case Op::arrive:
          return second.number == (first.awaited_number / barrier_round + 1) * barrier_round - 1;
        case Op::enqueue: return second.number == first.answer;
        default: return false;
      }
    }
    if (first.object != second.object) return false;
    switch (first.op) {
      case Op::send:
      case Op::receive:
      case Op::acquire:
      case Op::post:
      case Op::lock:
      case Op::unlock:
      case Op::arrive: return second.op == first.op;
      case Op::enqueue:
      case Op::signal: return second.op == Op::enqueue || second.op == Op::signal;
      default: return false;
    }
  }

  // The operation that can fulfil a request.
  static Op answering(Op request) {
    switch (request) {
      case Op::send: return Op::receive;
      case Op::receive: return Op::send;
      case Op::acquire: return Op::post;
      case Op::lock: return Op::unlock;
      case Op::arrive: return Op::arrive;
      case Op::enqueue: return Op::signal;
      default: return Op::local;
    }
  }

  void pair(const Waiting& one, const Waiting& other) {
    RequestState& first = state_.actors[one.actor].requests[one.request];
    RequestState& second = state_.actors[other.actor].requests[other.request];
    first.done = second.done = true;
    first.partner = other.actor;
    second.partner = one.actor;
  }

  void apply(Move move) {
    const ModelStep& step = next(move.actor);
    ActorState& actor = state_.actors[move.actor];
    const auto me = static_cast<unsigned>(move.actor);
    const Waiting self{step.op, me,
                       static_cast<unsigned>(request_number(model_.actors[me], actor.position))};
    const unsigned object =
        step.op == Op::unlock ? request_step(model_.actors[me], step.x).x : step.x;
    const Op sort = step.op == Op::broadcast ? Op::signal : step.op;
    const unsigned number = state_.count[{sort, object}]++;
    if (makes_request(step.op)) {
      actor.requests[self.request].made = true;
      actor.requests[self.request].number = number;
    }
    unsigned jump = 0;
    switch (step.op) {
      case Op::send:
      case Op::receive: {
        auto& queue = state_.mailboxes[object];
        if (!queue.empty() && queue.front().op != step.op) {
          pair(queue.front(), self);
          queue.pop_front();
        } else {
          queue.push_back(self);
        }
        break;
      }
      case Op::acquire:
        if (state_.credits[object] > 0) {
          --state_.credits[object];
          actor.requests[self.request].done = true;
          if (number >= semaphore_credit)
            actor.requests[self.request].partner = poster(object, number);
        } else {
          state_.semaphores[object].push_back(self);
        }
        break;
      case Op::post: {
        posters_[{object, number}] = me;
        auto& queue = state_.semaphores[object];
        if (queue.empty()) {
          ++state_.credits[object];
        } else {
          RequestState& request =
              state_.actors[queue.front().actor].requests[queue.front().request];
          request.done = true;
          request.partner = me;
          queue.pop_front();
        }
        break;
      }
      case Op::lock: state_.mutexes[object].push_back(self); break;
      case Op::unlock: {
        RequestState& request = actor.requests[step.x];
        request.done = request.made;
        std::erase_if(state_.mutexes[object], [&](const Waiting& other) {
          return other.actor == me && other.request == step.x;
        });
        break;
      }
      case Op::arrive: {
        auto& round = state_.rounds[object];
        round.push_back(self);
        if (round.size() < barrier_round) break;
        for (const Waiting& one : round) state_.actors[one.actor].requests[one.request].done = true;
        round.clear();
        break;
      }
      case Op::enqueue: state_.conditions[object].push_back(self); break;
      case Op::signal:
      case Op::broadcast: {
        auto& queue = state_.conditions[object];
        while (!queue.empty()) {
          RequestState& request =
              state_.actors[queue.front().actor].requests[queue.front().request];
          request.done = true;
          request.answer = number;
          queue.pop_front();
          if (step.op == Op::signal) break;
        }
        break;
      }
      case Op::test: {
        const auto found = select(me, step.requests, true);
        actor.value = found.empty() ? 0 : found[move.choice] + 1;
        if (found.empty()) jump = step.skip;
        break;
      }
      case Op::pick: {
        const auto made = select(me, step.requests, false);
        actor.picked = made.empty() ? none : made[move.choice];
        actor.picked_from = step.requests;
        break;
      }
      case Op::wait: {
        const unsigned request = awaited(me);
        const unsigned partner = request == none ? none : actor.requests[request].partner;
        actor.value = partner == none ? 0 : partner + 1;
        if (step.requests == 0) actor.picked = none;
        break;
      }
      case Op::skip_if:
        if (actor.value == step.x) jump = step.skip;
        break;
      case Op::check: actor.failed = actor.value == step.x; break;
      case Op::local: break;
    }
    actor.position = std::min<unsigned>(actor.position + 1 + jump,
                                        static_cast<unsigned>(model_.actors[me].size()));
  }

  // Credits are used up in the order in which they were given.
  [[nodiscard]] unsigned poster(unsigned object, unsigned acquire) const {
    const auto found = posters_.find({object, acquire - semaphore_credit});
    return found == posters_.end() ? none : found->second;
  }

  const Model& model_;
  State state_;
  std::vector<Occurrence> steps_;
  std::map<std::pair<unsigned, unsigned>, unsigned> posters_;
};

class Enumeration {
 public:
  Enumeration(const Model& model, std::uint64_t most) : model_(model), most_(most), now_(model) {}

  std::optional<Truth> run() {
    if (!search()) return std::nullopt;
    return std::move(truth_);
  }

 private:
  bool search() {
    bool moved = false;
    const State here = now_.state();
    for (std::size_t actor = 0; actor < model_.actors.size(); ++actor) {
      if (!now_.enabled(actor)) continue;
      moved = true;
      const unsigned choices = now_.choices(actor);
      for (unsigned choice = 0; choice < choices; ++choice) {
        now_.take({actor, static_cast<std::uint16_t>(choice)});
        if (!search()) return false;
        now_.restore(here);
      }
    }
    return moved || record();
  }

  bool record() {
    if (++truth_.interleavings > most_) return false;
    const Truth::Ending ending{now_.text(), now_.stuck()};
    const auto [known, fresh] = truth_.traces.emplace(now_.trace(), ending);
    if (!fresh && known->second.state != ending.state) truth_.inconsistent = true;
    truth_.failures.merge(now_.failures());
    if (ending.deadlock) truth_.failures.insert("deadlock");
    return true;
  }

  const Model& model_;
  std::uint64_t most_;
  Simulation now_;
  Truth truth_;
};

double count_from(const Model& model, Simulation& now,
                  std::unordered_map<std::string, double>& known) {
  const std::string key = now.key();
  if (const auto found = known.find(key); found != known.end()) return found->second;
  double count = 0;
  const State here = now.state();
  for (std::size_t actor = 0; actor < model.actors.size(); ++actor) {
    if (!now.enabled(actor)) continue;
    const unsigned choices = now.choices(actor);
    for (unsigned choice = 0; choice < choices; ++choice) {
      now.take({actor, static_cast<std::uint16_t>(choice)});
      count += count_from(model, now, known);
      now.restore(here);
    }
  }
  if (count == 0) count = 1;
  known[key] = count;
  return count;
}

}  // namespace

std::optional<Truth> enumerate_interleavings(const Model& model, std::uint64_t most) {
  return Enumeration(model, most).run();
}

double count_interleavings(const Model& model) {
  Simulation now(model);
  std::unordered_map<std::string, double> known;
  return count_from(model, now, known);
}

std::optional<Performed> perform(const Model& model, const std::vector<Move>& moves) {
  Simulation now(model);
  for (const Move& move : moves) {
    if (!now.enabled(move.actor) || move.choice >= now.choices(move.actor)) return std::nullopt;
    now.take(move);
  }
  Performed performed{now.trace(), now.text(), true};
  for (std::size_t actor = 0; actor < model.actors.size(); ++actor) {
    if (now.enabled(actor)) performed.maximal = false;
  }
  return performed;
}

}  // namespace mazurka::messages
