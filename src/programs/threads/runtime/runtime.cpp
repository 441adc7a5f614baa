#include "programs/threads/runtime/runtime.hpp"

#include <sys/syscall.h>

#include <utility>

#include "core/check.hpp"
#include "programs/threads/runtime/check_function.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/machine/library_state.hpp"
#include "programs/threads/runtime/machine/native.hpp"
#include "programs/threads/runtime/machine/rank_images.hpp"
#include "programs/threads/runtime/machine/traps.hpp"
#include "programs/threads/runtime/rank_output.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads {

bool inside_engine = false;
bool checking = false;
Heaps heaps;
char* place_of_strtok = nullptr;
volatile bool stall_requested = false;
Runtime* runtime = nullptr;
volatile std::uint64_t canary_with_value = untouched;
volatile std::uint64_t canary_without_value;

pthread_mutex_t verifier_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

namespace {

// Rank 0 has them begin, in order: so a rank's number is that of its process.
void start_other_ranks(Threads& threads) {
  for (std::size_t rank = 1; rank < rank_images().size(); ++rank) {
    pthread_t ignored{};
    threads.create(&ignored, nullptr, nullptr, true, static_cast<std::int32_t>(rank));
  }
}

void enter_fiber(void* process) { runtime->fiber_main(*static_cast<Process*>(process)); }

}  // namespace

void die_overwritten() {
  for (;;) call_kernel(SYS_exit_group, exit_overwritten);
}

Runtime::Runtime(const Course::Subject& subject, const Request& request, Progress& progress)
    : Scheduler(request, progress, {sections, spins, messages, checkpoints}),
      course_(subject),
      fibers(*this, thread_locals_, stacks_, enter_fiber),
      beginning(*this, initial_, {snapshot_, thread_locals_, stacks_}),
      ranks(make_ranks(*this, accesses, first_mpi_kind_, spins)) {
  park_ahead(2);
  ranks_ = ranks.get();
  canary_without_value = ~untouched;
  engine_.thread_pointer = current_thread_pointer();
  heaps.keep_initial();
  thread_locals_.learn();
  snapshot_.take(heaps.initial(), request.task != Task::debug);
  for (const std::span<std::byte> words : course_.words()) snapshot_.include(words);
  snapshot_.include(std::as_writable_bytes(std::span(&place_of_strtok, 1)));
  snapshot_.include(memory_of_library_states(rank_images().size()));
  if (request.task == Task::replay && !rank_images().empty()) tell_output_of_ranks_apart();
  for (const Snapshot::Region& region : snapshot_.regions()) {
    if (!in_zone(region.begin)) state_.races.add_region(region.begin, region.end);
  }
  const Extent c_library = extent_of_c_library();  // some of its functions answer in there
  state_.races.add_region(c_library.begin, c_library.end);
  state_.races.add_region(thread_locals_.of_first().first, thread_locals_.of_first().second);
  const Refinement& refinement = request.checks.refinement;
  for (const std::uint64_t place : refinement.exposed) learned_.exposed.insert(place);
  for (const std::uint64_t local : refinement.escaped) learned_.escaped.insert(local);
  for (const std::uint64_t guard : refinement.guards) learned_.guards.insert(guard);
  for (const std::uint64_t barrier : refinement.ordered) learned_.ordered.insert(barrier);
  learned_.latches_by_library = refinement.latches_by_library;
  if (request.checks.memory != MemoryModel::automatic) learned_.memory = request.checks.memory;
  learned_.updates_in_order = learned_.memory != MemoryModel::sc;
  if (!rank_images().empty()) initial_.mpi = ranks->make_world(rank_images().size());
  initial_.before_check = !request.check.empty();
}

void Runtime::save_names(ArchiveWriter& archive) const {
  names_.save(archive);
  archive(learned_);
}

void Runtime::load_names(ArchiveReader& archive) {
  names_.load(archive);
  archive(learned_);
  names_.check(learned_);
}

void Runtime::run(Run& run) {
  perform_once(run);
  while (spins.must_perform_again()) {
    run.start_again();
    perform_once(run);
  }
}

void Runtime::perform_once(Run& run) {
  if (!beginning.is_known() && rank_images().empty()) {
    beginning.try_out(vocabulary_, [this](Run& trial) {
      enter(trial, prepare_first(trial));
      rest();
      return !spins.must_perform_again();
    });
  }
  broken_off_ = false;
  traps.set_again();
  if (checkpoints.begin(run)) {
    note_progress();
    ++execution_;
    go_on(run);
  } else {
    begin(run);
  }
  if (state_.live == 0 && !state_.someone_failed) {
    messages.report_leftovers();
    if (!rank_images().empty()) ranks->report_leftovers();
  }
  if (surroundings.has_file_in_memory() && state_.processes.size() > 1) {
    learned_.grounds.unordered = "memory that is a mapped file, which is not looked at,";
  }
  rest();
  if (recorder() != nullptr) recorder()->settle_all();
}

Process& Runtime::prepare_first(const Run& run) {
  surroundings.restore();
  snapshot_.restore();
  heaps.reset();
  state_ = initial_;
  MAZURKA_CHECK(state_.live == 0 || beginning.is_kept(), "an execution begins with nobody there");
  note_progress();
  ++execution_;
  state_.tracking = run.records_states();
  state_.tracker.go_through_everything(run.wants_whole_states());
  fibers.make_room_for(Run::root());
  Process& root = fibers.prepare(Run::root(), no_process);
  if (!rank_images().empty()) fibers.enter_rank(root, 0);
  root.knowledge.now.tick(root.id);
  return root;
}

void Runtime::begin(Run& run) {
  Process& root = prepare_first(run);
  if (recorder() != nullptr) {
    recorder()->story.processes.push_back({root.id, no_process, 0, 0, root.rank});
  }
  checkpoints.begun();
  enter(run, root);
}

void Runtime::come_to_check(const char* name, void (*body)(void*), void* argument) {
  if (!state_.before_check) {
    unsupported("mazurka::check inside a function that is being checked");
  }
  if (request_.check != name) return;  // not our business
  beginning.arrive_at_call();
  MAZURKA_CHECK(!request_.check.empty(), "a call is come to that was asked for");
  state_.before_check = false;
  state_.older = state_.processes.size();
  perform_checked(body, argument);
  threads.end_program(false);
}

void Runtime::fiber_main(Process& self) {
  inside_engine = false;
  if (self.id == Run::root() && self.rank == 0) start_other_ranks(threads);
  if (self.id == Run::root() && self.rank < 0) {
    if (!beginning.is_kept()) {
      course_.begin(threads);
      if (!state_.before_check) beginning.arrive();
    }
    course_.perform(threads);
  }
  if (self.rank >= 0 && std::cmp_equal(self.rank, index(self.id))) {
    course_.perform(threads, rank_images()[index(self.id)]);
  }
  threads.end(self.routine(self.argument));
}

}  // namespace mazurka::threads
