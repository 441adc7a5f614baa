#include "memory/model_program.hpp"

#include <algorithm>

#include "core/session.hpp"
#include "explorers/table.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"

namespace mazurka::memory {

namespace {

using Kind = Operation::Kind;
namespace modes = threads::memory_mode;

std::uint8_t mode_of(const Operation& operation) {
  switch (operation.kind) {
    case Kind::read: return modes::read;
    case Kind::write: return modes::write;
    case Kind::compare_exchange: return modes::compare_exchange;
    default: return modes::update;
  }
}

host::MemoryOrder order_of(Order order) {
  using host::MemoryOrder;
  switch (order) {
    case Order::relaxed: return MemoryOrder::relaxed;
    case Order::acquire: return MemoryOrder::acquire;
    case Order::release: return MemoryOrder::release;
    case Order::acquire_release: return MemoryOrder::acquire_release;
    case Order::seq_cst: return MemoryOrder::sequentially_consistent;
  }
  return {};
}

}  // namespace

ModelProgram::ModelProgram(const memory::Program& program, host::MemoryModel model, bool graphs)
    : program_(program), model_(model), graphs_(graphs), threads_(program.threads.size()) {
  operation_.use(model, graphs);
}

const Vocabulary& ModelProgram::vocabulary() const {
  static const Vocabulary vocabulary = threads::make_vocabulary();
  return vocabulary;
}

void ModelProgram::begin(Run& run) {
  static const threads::TracePast no_past;
  static const threads::WeakOperation::Histories no_histories;
  static const threads::AccessGraph no_graph;
  past_ = no_past;
  histories_ = no_histories;
  graph_ = no_graph;
  mutexes_ = {};
  semaphore_ = {};
  semaphore_.set_up(static_cast<std::uint64_t>(program_.tokens));
  assumed_ = false;
  outcome_.reset();
  for (int variable = 0; variable < program_.variables; ++variable) {
    threads::History& history = histories_[static_cast<ObjectId>(variable)];
    history.begin(sizeof(int));
    history.write_plainly({}, {});
  }
  for (std::size_t at = 0; at < threads_.size(); ++at) {
    threads_[at] = {};
    threads_[at].name = at == 0 ? Run::root() : run.create(Run::root());
    threads_[at].knowledge.now.tick(threads_[at].name);
    const std::size_t name = index(threads_[at].name);
    if (thread_of_.size() <= name) thread_of_.resize(name + 1);
    thread_of_[name] = at;
  }
}

void ModelProgram::run(Run& run) {
  begin(run);
  for (Thread& thread : threads_) go_on(run, thread);
  while (const auto decision = run.next()) {
    Thread& thread = threads_[thread_of_[index(decision->process)]];
    if (!step(run, thread) || run.over()) return;
    go_on(run, thread);
    let_others_in(run);
  }
  const bool ended = std::all_of(threads_.begin(), threads_.end(), [&](const Thread& thread) {
    return thread.next == operations(thread).size();
  });
  if (ended && !assumed_) tell_outcome();
}

// As far as the thread's next step.
void ModelProgram::go_on(Run& run, Thread& thread) {
  const std::vector<Operation>& all = operations(thread);
  for (; thread.next < all.size(); ++thread.next) {
    const Operation& operation = all[thread.next];
    if (operation.only_if && *operation.only_if != thread.last) continue;
    if (operation.kind == Kind::assume && thread.last != operation.value) {
      assumed_ = true;
      run.assumption_fails();
      run.excuse_waiting();
      run.finish(thread.name);
      return;
    }
    if (operation.kind == Kind::fence) {
      operation_.fence(order_of(operation.order), actor(thread), false);
    } else if (operation.kind != Kind::assume) {
      announce(run, thread, operation);
      return;
    }
  }
  run.finish(thread.name);
}

Access ModelProgram::lock_access(const Operation& operation) const {
  const int behind = program_.variables + memory::Program::mutexes;
  switch (operation.kind) {
    case Kind::take:
      return threads::Gate::access(static_cast<ObjectId>(behind), threads::gate_mode::pass,
                                   threads::gate_wish::token);
    case Kind::give:
      return threads::Gate::access(static_cast<ObjectId>(behind), threads::gate_mode::change);
    default: break;
  }
  const bool locks = operation.kind == Kind::lock;
  return threads::Mutex::access(static_cast<ObjectId>(program_.variables + operation.variable),
                                locks ? threads::mutex_mode::lock : threads::mutex_mode::unlock);
}

bool ModelProgram::can_go_on(const Operation& operation) const {
  if (operation.kind == Kind::take) return semaphore_.allows(threads::gate_wish::token);
  return operation.kind != Kind::lock ||
         mutexes_[static_cast<std::size_t>(operation.variable)].is_free();
}

void ModelProgram::announce(Run& run, const Thread& thread, const Operation& operation) {
  Access access{static_cast<ObjectId>(operation.variable), threads::kind::variable, 0, 0};
  if (operation.kind >= Kind::lock) {
    access = lock_access(operation);
  } else if (!graphs_) {
    access.kind = threads::kind::memory;
    access.mode = mode_of(operation);
  }
  run.announce(thread.name, {{&access, 1}}, can_go_on(operation));
}

// Whoever waits for a mutex, or for a token.
void ModelProgram::let_others_in(Run& run) {
  for (const Thread& thread : threads_) {
    const std::vector<Operation>& all = operations(thread);
    if (thread.next == all.size()) continue;
    const Kind kind = all[thread.next].kind;
    if (kind == Kind::lock || kind == Kind::take) {
      run.enable(thread.name, can_go_on(all[thread.next]));
    }
  }
}

bool ModelProgram::step(Run& run, Thread& thread) {
  const Operation& operation = operations(thread)[thread.next++];
  if (operation.kind < Kind::lock) return access(run, thread, operation);
  go_elsewhere(thread, operation.kind != Kind::unlock);
  return operation.kind >= Kind::take ? use_semaphore(run, thread, operation)
                                      : use_mutex(run, thread, operation);
}

void ModelProgram::go_elsewhere(Thread& thread, bool is_barrier) {
  threads::VectorClock& known = thread.knowledge.now;
  if (model_ == host::MemoryModel::tso && is_barrier) ++thread.barriers;
  if (model_ == host::MemoryModel::rc11 && graph_.has_strong()) {
    graph_.go_elsewhere(thread.name, known[index(thread.name)], known);
  }
}

bool ModelProgram::commit(Run& run, std::uint16_t choices, const std::vector<std::uint64_t>& before,
                          Footprint performed) {
  if (!run.commit(before, choices, {}, performed)) return false;
  past_.add(vocabulary(), run.so_far(), run.position() - 1, threads::kind::count);
  return true;
}

bool ModelProgram::use_mutex(Run& run, Thread& thread, const Operation& operation) {
  threads::Mutex& mutex = mutexes_[static_cast<std::size_t>(operation.variable)];
  if (!commit(run, 1, {mutex.value()})) return false;
  if (operation.kind == Kind::lock) {
    mutex.take(thread.name, thread.knowledge.now);
  } else {
    mutex.give_back(thread.name, thread.knowledge.now);
  }
  return true;
}

bool ModelProgram::use_semaphore(Run& run, Thread& thread, const Operation& operation) {
  const std::uint64_t before = semaphore_.value();
  if (!commit(run, 1, {before})) return false;
  if (operation.kind == Kind::take) {
    semaphore_.enter(thread.name, threads::gate_wish::token, thread.knowledge.now);
  } else {
    semaphore_.change(thread.name, before + 1, thread.knowledge.now);
  }
  return true;
}

bool ModelProgram::access(Run& run, Thread& thread, const Operation& operation) {
  const auto object = static_cast<ObjectId>(operation.variable);
  const bool exchanges = operation.kind == Kind::compare_exchange;
  threads::AtomicOperation asked;
  asked.size = sizeof(int);
  asked.mode = mode_of(operation);
  asked.order = order_of(operation.order);
  asked.failure_order = order_of(operation.failure);
  asked.expected = exchanges ? &operation.expected : nullptr;
  const auto choices = static_cast<std::uint16_t>(operation_.list(asked, object, actor(thread)));
  operation_.choose(asked, run);
  const threads::Found& found = operation_.found();
  const threads::History& history = histories_[object];
  const auto value =
      static_cast<int>((found.older ? found.value : history.at(history.last()).value).low);
  const bool fails = exchanges && value != operation.expected;
  const Access in_vain{object, threads::kind::memory, modes::read, 0};
  const bool less = fails && !graphs_;
  if (!commit(run, choices, {}, less ? Footprint{&in_vain, 1} : Footprint{})) return false;
  threads::AtomicResult result;
  result.reads = modes::reads(asked.mode);
  result.writes = modes::writes(asked.mode) && !fails;
  if (!operation_.commit(asked, result.writes, actor(thread), run)) {
    run.cut(Ending::impossible);
    return false;
  }
  const int written = operation.kind == Kind::add ? value + operation.value : operation.value;
  result.value = static_cast<std::uint64_t>(result.reads ? value : written);
  result.new_value = static_cast<std::uint64_t>(written);
  operation_.perform(result, fails ? asked.failure_order : asked.order, actor(thread));
  if (result.reads) {
    thread.last = value;
    thread.told.push_back(value);
  }
  return true;
}

void ModelProgram::tell_outcome() {
  std::string& text = outcome_.emplace();
  for (const Thread& thread : threads_) {
    for (const int value : thread.told) text += std::to_string(value) + " ";
    text += "/ ";
  }
  for (int variable = 0; variable < program_.variables; ++variable) {
    const threads::History& history = histories_[static_cast<ObjectId>(variable)];
    text += std::to_string(history.at(history.last()).value.low) + " ";
  }
}

Seen explore(const Program& program, host::MemoryModel model, const std::string& technique) {
  Seen seen;
  const TechniqueRequest request = parse_technique(technique);
  if (!request.error.empty()) {
    seen.problem = request.error;
    return seen;
  }
  ModelProgram subject(program, model, technique == "graphs");
  Session session(subject, {.keep_going = true});
  session.on_execution = [&](const Execution& execution) {
    seen.deadlock = seen.deadlock || execution.ending == Ending::deadlock;
    if (subject.outcome()) ++seen.outcomes[*subject.outcome()];
  };
  const bool all = request.make()->explore(session);
  if (session.divergence()) {
    seen.problem = "a schedule could not be performed";
  } else if (!all) {
    seen.problem = "the search gave up";
  }
  seen.executions = session.statistics().executions;
  seen.impossible = session.statistics().impossible;
  seen.asleep = session.statistics().asleep;
  return seen;
}

}  // namespace mazurka::memory
