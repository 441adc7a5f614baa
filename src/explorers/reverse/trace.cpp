#include "explorers/reverse/trace.hpp"

#include "core/check.hpp"

namespace mazurka::reverse {

Trace::Trace(const Vocabulary& vocabulary)
    : vocabulary_(vocabulary), order_(vocabulary, HappensBefore::Wanted::order) {
  for (std::uint8_t kind = 0; kind < vocabulary.kinds(); ++kind) {
    const auto modes = static_cast<std::uint8_t>(vocabulary.modes(kind).size());
    for (std::uint8_t mode = 0; mode < modes; ++mode) {
      const Access access{.kind = kind, .mode = mode};
      // A step that waits, and is independent of others that do, only looks.
      const bool changes = vocabulary.writes(access) &&
                           (!vocabulary.guarded(access) || vocabulary.moves(access) != 0);
      is_counted_[kind] = is_counted_[kind] || vocabulary.counted(access);
      if (!changes && !vocabulary.total(access)) continue;
      changing_[kind] = static_cast<std::uint16_t>(changing_[kind] | 1U << mode);
    }
  }
}

void Trace::update(const Execution& execution, std::size_t kept) {
  MAZURKA_CHECK(kept <= size_ && kept <= execution.size(), "what is kept was taken in");
  if (execution_ != nullptr) forget_from(kept);
  execution_ = &execution;
  order_.update(execution, kept);
  make_room();
  events_.resize(execution.size());
  new_from_ = kept;
  for (std::size_t at = kept; at < execution.size(); ++at) add(static_cast<std::uint32_t>(at));
}

void Trace::forget_from(std::size_t kept) {
  while (!noted_.empty() && noted_.back().event >= kept) {
    Object& object = objects_[index(noted_.back().object)];
    MAZURKA_CHECK(!object.changes.empty() && object.changes.back().event == noted_.back().event,
                  "the latest change of all is the latest of its object");
    object.changes.pop_back();
    // The latest of all is the latest of its process.
    for (std::vector<std::uint32_t>& own : object.of_process) {
      if (!own.empty() && own.back() == object.changes.size()) own.pop_back();
    }
    if (noted_.back().sort == Sort::counted) --object.counted;
    if (noted_.back().sort == Sort::unordered) --object.unordered;
    noted_.pop_back();
  }
  size_ = std::min(size_, kept);
}

void Trace::make_room() {
  const std::size_t rows = execution_->size() + 1;
  if (order_.width() != width_) {
    std::vector<std::uint32_t> counts(std::max(rows, size_ + 1) * order_.width(), 0);
    for (std::size_t row = 0; row <= size_ && width_ != 0; ++row) {
      std::copy_n(counts_.data() + row * width_, width_, counts.data() + row * order_.width());
    }
    counts_ = std::move(counts);
    width_ = order_.width();
  }
  if (counts_.size() < rows * width_) counts_.resize(rows * width_, 0);
}

void Trace::add(std::uint32_t event) {
  const Step step = execution_->steps[event];
  const std::uint32_t* const row = counts_.data() + event * width_;
  std::uint32_t* const next = counts_.data() + (event + std::size_t{1}) * width_;
  std::copy_n(row, width_, next);
  MAZURKA_CHECK(next[index(step.process())] == execution_->events[event].index,
                "the events of a process are numbered in their order");
  ++next[index(step.process())];
  RunningHash look = look_of_first(event);
  add_look(look, step);
  const bool can_wait =
      std::any_of(step.accesses.begin(), step.accesses.end(),
                  [&](const Access& access) { return vocabulary_.guarded(access); });
  events_[event] = {look.value(), !step.accesses.empty(), can_wait};
  const std::size_t first = execution_->steps.first_access(event);
  for (std::size_t at = 0; at < step.accesses.size(); ++at) {
    take_in(event, step.accesses[at], execution_->before[first + at]);
  }
  size_ = event + std::size_t{1};
}

Trace::Sort Trace::sort_of(const Access& access) const {
  if (!vocabulary_.has_guards(access.kind)) return Sort::none;
  if (vocabulary_.counted(access)) return Sort::counted;
  const std::uint16_t changing = changing_[access.kind];
  if ((changing >> access.mode & 1U) == 0) return Sort::none;
  const bool ordered = (changing & ~vocabulary_.related_modes(access)) == 0;
  return ordered ? Sort::ordered : Sort::unordered;
}

void Trace::take_in(std::uint32_t event, const Access& access, std::uint64_t before) {
  const Sort sort = sort_of(access);
  if (sort == Sort::none) return;
  if (objects_.size() <= index(access.object)) objects_.resize(index(access.object) + 1);
  Object& object = objects_[index(access.object)];
  if (is_counted_[access.kind]) {
    const std::size_t process = process_of(event);
    if (object.of_process.size() <= process) object.of_process.resize(process + 1);
    object.of_process[process].push_back(static_cast<std::uint32_t>(object.changes.size()));
  }
  object.changes.push_back({event, before});
  if (sort == Sort::counted) ++object.counted;
  if (sort == Sort::unordered) ++object.unordered;
  noted_.push_back({event, access.object, sort});
}

void Trace::needed_by(StepRef which, MutableCut& cut) const {
  const Step step = this->step(which);
  cut.assign(width_, 0);
  const std::uint32_t previous =
      which.is_event ? order_.previous_of_process(which.number) : order_.last_event(step.process());
  if (previous != no_event) unite(cut, order_.past(previous));
  const auto add = [&](std::uint32_t cause) { unite(cut, order_.past(cause)); };
  if (which.is_event) {
    execution_->for_each_cause(which.number, add);
  } else {
    execution_->for_each_pending_cause(which.number, add);
  }
  if (step.awaited != no_process && order_.last_event(step.awaited) != no_event) {
    unite(cut, order_.past(order_.last_event(step.awaited)));
  }
}

bool Trace::can_be_taken(StepRef which, Cut after) const {
  const Step step = this->step(which);
  MAZURKA_CHECK(after.size() == width_, "a cut has a number for each process");
  const bool at_the_end = is_taken_at_the_end(which);
  return std::all_of(step.accesses.begin(), step.accesses.end(), [&](const Access& access) {
    return !vocabulary_.guarded(access) || guard_holds(access, after, at_the_end);
  });
}

bool Trace::guard_holds(const Access& access, Cut after, bool at_the_end) const {
  const std::span<const Change> all = changes(access.object);
  const std::size_t next = changes_within(access.object, after);
  return next == all.size() ? at_the_end : vocabulary_.allows(access, all[next].before);
}

// Whether they come in order or not: those of a process do.
std::size_t Trace::changes_within(ObjectId object, Cut cut) const {
  const std::span<const Change> all = changes(object);
  if (all.empty()) return 0;
  const auto is_in = [&](const Change& change) { return contains(cut, change.event); };
  if (objects_[index(object)].counted == 0) {
    return static_cast<std::size_t>(std::partition_point(all.begin(), all.end(), is_in) -
                                    all.begin());
  }
  std::size_t count = 0;
  for (const std::vector<std::uint32_t>& own : objects_[index(object)].of_process) {
    const auto outside = std::partition_point(
        own.begin(), own.end(), [&](std::uint32_t number) { return is_in(all[number]); });
    count += static_cast<std::size_t>(outside - own.begin());
  }
  return count;
}

std::size_t Trace::first_change_outside(ObjectId object, Cut cut) const {
  const std::span<const Change> all = changes(object);
  if (come_in_order(object)) return changes_within(object, cut);
  const Object& known = objects_[index(object)];
  if (known.counted == 0) return 0;
  std::size_t first = all.size();
  for (const std::vector<std::uint32_t>& own : known.of_process) {
    const auto outside = std::partition_point(own.begin(), own.end(), [&](std::uint32_t number) {
      return contains(cut, all[number].event);
    });
    if (outside != own.end()) first = std::min<std::size_t>(first, *outside);
  }
  return first;
}

std::string Trace::objection() const {
  for (std::size_t at = new_from_; at < execution_->size(); ++at) {
    if (!can_wait(at)) continue;
    if (std::string found = objection_to(execution_->steps[at]); !found.empty()) return found;
  }
  for (std::size_t at = 0; at < execution_->pending.size(); ++at) {
    if (std::string found = objection_to(execution_->pending[at]); !found.empty()) return found;
  }
  return {};
}

std::string Trace::objection_to(const Step& step) const {
  const Access* first = nullptr;
  for (const Access& access : step.accesses) {
    if (!vocabulary_.guarded(access)) continue;
    if (first != nullptr) {
      return "a step that waits for a " + vocabulary_.kind_name(first->kind) + " and for a " +
             vocabulary_.kind_name(access.kind) + " at once";
    }
    first = &access;
    if (index(access.object) < objects_.size() && objects_[index(access.object)].unordered > 0) {
      return "a step that waits for the value of a " + vocabulary_.kind_name(access.kind) +
             " to which others add in whatever order";
    }
  }
  return {};
}

}  // namespace mazurka::reverse
