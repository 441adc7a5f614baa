#include "programs/threads/runtime/checkpoints.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/check.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"
#include "programs/threads/runtime/machine/ticks.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;  // of the program's memory, in all
constexpr std::size_t most_checkpoints = 64;

}  // namespace

std::uint64_t Checkpoints::lap() {
  const std::uint64_t now = ticks();
  return now - std::exchange(lap_, now);
}

Checkpoints::Terms Checkpoints::terms(const Run& run) const {
  return {&run,
          run.records_states(),
          run.watches_reads(),
          learned_.escaped.size(),
          learned_.exposed.size(),
          learned_.crowded.size(),
          learned_.ordered.size(),
          learned_.latches_by_library,
          memory_.stacks.deepened(),
          spins_.sites().size(),
          memory_.snapshot.pages()};
}

// Indivisible sections are rehearsed by what was learned of them. And who looks at whole states
// measures what that costs, repetitions included. Which bytes were written is in no checkpoint.
bool Checkpoints::possible(const Run& run) const {
  return !run.wants_whole_states() && !request_.checks.uninitialised &&
         mode() != CheckpointMode::off && request_.task == Task::explore && recorder() == nullptr &&
         !too_large_ && !learned_.has_blocks && learned_.widest.empty();
}

bool Checkpoints::begin(Run& run) {
  places_.clear();
  if (!possible(run)) {
    drop_after(0);
    return false;
  }
  (void)lap();
  if (Terms now = terms(run); now != terms_) {
    terms_ = now;
    drop_after(0);
  }
  const std::size_t left = run.shared();
  drop_after(left);
  if (mode() == CheckpointMode::check) {
    plan(0, left);
    return false;
  }
  const bool goes_on = !taken_.empty() && (mode() == CheckpointMode::always ||
                                           costs_.pays_to_go_on(taken_.back()->standing.position));
  if (!goes_on) {
    if (left > 0) costs_.passed_over();
    plan(0, left);
    return false;
  }
  const Checkpoint& from = *taken_.back();
  MAZURKA_CHECK(from.standing.position <= left, "a checkpoint is one of the shared events");
  put_back(from);
  run.go_on_from(from.standing);
  costs_.used();
  plan(from.standing.position, left);
  costs_.going_on.add(static_cast<double>(lap()));
  return true;
}

void Checkpoints::drop_after(std::size_t events) {
  while (!taken_.empty() && (taken_.back()->standing.position > events || events == 0)) {
    MAZURKA_CHECK(bytes_ >= taken_.back()->memory.size(), "the bytes of checkpoints are counted");
    bytes_ -= taken_.back()->memory.size();
    spare_.push_back(std::move(taken_.back()));
    taken_.pop_back();
  }
}

void Checkpoints::plan(std::size_t begun, std::size_t left) {
  from_ = begun;
  if (left == 0) return;
  const std::size_t distance =
      mode() == CheckpointMode::on ? costs_.least_distance(left - begun) : 1;
  CheckpointCosts::plan(begun, left, distance, places_);
  if (mode() == CheckpointMode::on) return;
  // Those that there are already, too: in order to be compared.
  for (const auto& known : taken_) {
    if (known->standing.position > begun) places_.push_back(known->standing.position);
  }
  std::sort(places_.begin(), places_.end(), std::greater<>());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
}

void Checkpoints::pause() {
  MAZURKA_CHECK(!places_.empty(), "a pause was planned");
  const std::size_t here = places_.back();
  MAZURKA_CHECK(here == run().position() && here > from_, "a pause comes where it was planned");
  places_.pop_back();
  costs_.event.add(static_cast<double>(lap()) / static_cast<double>(here - from_));
  from_ = here;
  const auto known = std::find_if(taken_.begin(), taken_.end(),
                                  [&](const auto& one) { return one->standing.position == here; });
  if (known != taken_.end()) {
    if (mode() == CheckpointMode::check) compare(**known);
  } else {
    take();
  }
  (void)lap();
}

void Checkpoints::take() {
  if (state_.went_outside || surroundings.changed() || terms(run()) != terms_) {
    places_.clear();
    return;
  }
  make_room();
  if (spare_.empty()) spare_.push_back(std::make_unique<Checkpoint>());
  std::unique_ptr<Checkpoint> fresh = std::move(spare_.back());
  spare_.pop_back();
  if (!copy(*fresh) || fresh->memory.size() > most_bytes / 4) {
    too_large_ = true;
    drop_after(0);
    places_.clear();
    return;
  }
  bytes_ += fresh->memory.size();
  const auto after = std::find_if(taken_.begin(), taken_.end(), [&](const auto& one) {
    return one->standing.position > fresh->standing.position;
  });
  MAZURKA_CHECK(fresh->standing.position == run().position() &&
                    (after == taken_.begin() ||
                     (*std::prev(after))->standing.position < fresh->standing.position),
                "checkpoints are in the order of their events, one after each");
  taken_.insert(after, std::move(fresh));
  costs_.taken();
  costs_.taking.add(static_cast<double>(lap()));
}

// Of many, the one goes that is nearest to its neighbours.
void Checkpoints::make_room() {
  while (taken_.size() >= most_checkpoints || (bytes_ > most_bytes && taken_.size() > 1)) {
    std::size_t best = 0;
    std::size_t least = ~std::size_t{0};
    for (std::size_t at = 0; at + 1 < taken_.size(); ++at) {
      const std::size_t before = at == 0 ? 0 : taken_[at - 1]->standing.position;
      const std::size_t gap = taken_[at + 1]->standing.position - before;
      if (gap >= least) continue;
      least = gap;
      best = at;
    }
    bytes_ -= taken_[best]->memory.size();
    spare_.push_back(std::move(taken_[best]));
    taken_.erase(taken_.begin() + static_cast<std::ptrdiff_t>(best));
  }
}

bool Checkpoints::copy(Checkpoint& checkpoint) {
  checkpoint.memory.clear();
  if (!heaps.copy_into(checkpoint.memory, checkpoint.heaps)) return false;
  memory_.snapshot.copy_into(checkpoint.memory);
  state_.processes.for_each([&](const Process& one) {
    if (one.finished) return;
    const auto pointer = reinterpret_cast<std::uintptr_t>(one.context.stack_pointer);
    memory_.stacks.copy_into(checkpoint.memory, index(one.id), pointer, one.frame);
    memory_.thread_locals.copy_into(checkpoint.memory, one.context.thread_pointer);
  });
  checkpoint.state = state_;
  checkpoint.standing = run().standing();
  return true;
}

void Checkpoints::put_back(const Checkpoint& checkpoint) {
  surroundings.restore();
  heaps.reset_to(checkpoint.heaps);
  checkpoint.memory.put_back();
  state_ = checkpoint.state;
}

// The same events, performed anew, must have led to the same. From here on the execution goes on
// from what was kept.
void Checkpoints::compare(const Checkpoint& known) {
  Checkpoint now;
  const bool copied = copy(now);
  known.state.processes.for_each([&](const Process& one) {
    // Where in our own code it stands is not always the same, nor what is in the gaps of its stack.
    if (Process* same = now.state.processes.find(one.id)) {
      same->context = one.context;
      same->watch = one.watch;
    }
  });
  std::string what;
  if (!copied || now.memory.difference(known.memory) != 0) {
    what = "memory at " + std::to_string(now.memory.difference(known.memory));
  } else if (!(now.heaps == known.heaps)) {
    what = "the heap";
  } else if (!(now.state == known.state)) {
    what = "the state";
  } else if (!(now.standing == known.standing)) {
    what = "the run";
  }
  if (what.empty()) {
    put_back(known);
    run().go_on_from(known.standing);
    return;
  }
  scheduler_.refusal().error = "a checkpoint after " + std::to_string(known.standing.position) +
                               " events is not what the events lead to: " + what +
                               " differs (a defect of mazurka's; use --checkpoints off)";
  run().cut();
}

}  // namespace mazurka::threads
