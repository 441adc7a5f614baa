#include "oracle/generator.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace mazurka::oracle {

namespace {

// Small and the same everywhere, unlike the distributions of the standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1) {}
  std::uint64_t next() {
    std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15U);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
  }
  std::uint8_t below(unsigned bound) { return static_cast<std::uint8_t>(next() % bound); }
  bool chance(unsigned percent) { return next() % 100 < percent; }

 private:
  std::uint64_t state_;
};

class Generator {
 public:
  Generator(std::uint64_t seed, const Features& features) : random_(seed), features_(features) {
    variables_ = 1U + random_.below(3);
    add(Op::read, 3);
    add(Op::write, 3);
    add(Op::add, 1);
    add(Op::write_sum, 1);
    if (features.blocks) add_all({Op::swap, Op::copy, Op::conditional});
    if (features.checks) add_all({Op::check, Op::read_branch});
    if (features.mutexes) add_all({Op::lock, Op::lock, Op::unlock, Op::unlock, Op::try_lock});
    if (features.choices) add_all({Op::choose, Op::choose_write});
    if (features.exits) add_all({Op::exit});
    if (features.awaits) add_all({Op::await, Op::await});
    if (features.semaphores) add_all({Op::sem_wait, Op::sem_wait, Op::sem_post, Op::sem_post});
    if (features.attempts) {
      add(Op::exchange, 3);
      add(Op::exchange_branch, 4);
      if (features.mutexes) add(Op::try_branch, 2);
      if (features.semaphores) add(Op::sem_try, 2);
    }
    if (features.sums) {
      add(Op::sum, 6);
      add(Op::set_bits, 3);
    }
    if (features.shared_locks) {
      add(Op::share, 5);
      add(Op::take_alone, 3);
      if (features.attempts) add_all({Op::try_share, Op::share_branch, Op::try_alone});
    }
    if (features.conditions) add_all({Op::enqueue, Op::enqueue, Op::signal, Op::broadcast});
    if (features.detours) {
      add(Op::read_branch, 4);
      add(Op::write, 4);
    }
  }

  Model generate() {
    const unsigned count = 2U + random_.below(3);
    for (unsigned process = 0; process < count; ++process) {
      model_.processes.emplace_back();
      const unsigned longest = 6U - count + (features_.detours ? 4 - count : 0);
      const unsigned length = 1U + random_.below(longest);
      for (unsigned at = 0; at < length; ++at) add_step(process);
    }
    if (features_.semaphores) model_.semaphores[0] = random_.below(3);
    if (features_.processes) add_spawns_and_joins();
    return std::move(model_);
  }

 private:
  void add(Op op, int weight) { ops_.insert(ops_.end(), static_cast<std::size_t>(weight), op); }
  void add_all(std::initializer_list<Op> ops) { ops_.insert(ops_.end(), ops); }

  void add_step(std::size_t process) {
    std::vector<ModelStep>& steps = model_.processes[process].steps;
    ModelStep step{ops_[random_.below(static_cast<unsigned>(ops_.size()))]};
    step.x = random_.below(variables_);
    step.c = random_.below(3);
    step.d = random_.below(3);
    switch (step.op) {
      case Op::swap:
      case Op::copy:
      case Op::conditional:
        step.y = random_.below(variables_ + 1);
        if (step.y == step.x) step.op = Op::add;
        break;
      case Op::lock:
      case Op::unlock:
      case Op::try_lock:
      case Op::try_branch: step.x = random_.below(2); break;
      case Op::share:
      case Op::take_alone:
      case Op::try_share:
      case Op::share_branch:
      case Op::try_alone: step.x = random_.chance(85) ? 0 : 1; break;
      case Op::choose:
      case Op::choose_write: step.c = static_cast<std::uint8_t>(2 + random_.below(2)); break;
      case Op::sem_wait:
      case Op::sem_try:
      case Op::sem_post:
      case Op::enqueue:
      case Op::signal:
      case Op::broadcast: step.x = random_.chance(80) ? 0 : 1; break;
      default: break;
    }
    steps.push_back(step);
    if (step.op == Op::enqueue) {
      step.op = random_.chance(50) ? Op::wake : Op::wake_free;
      steps.push_back(step);
    }
    // Most locks are left again.
    if (step.op == Op::lock && random_.chance(60)) {
      if (random_.chance(50)) add_step(process);
      steps.push_back({Op::unlock, step.x});
    }
    if (step.op >= Op::share && random_.chance(85)) {
      while (random_.chance(45) && steps.size() < 5) add_step(process);
      steps.push_back({Op::give_back, step.x});
    }
  }

  // A process can be joined by its creator, once it is there, or if it always was.
  void add_spawns_and_joins() {
    for (std::uint8_t process = 1; process < model_.processes.size(); ++process) {
      const std::uint8_t other = random_.below(process);
      if (random_.chance(50)) {
        model_.processes[process].present = false;
        const std::size_t at = insert(other, {Op::spawn, process}, 0);
        if (random_.chance(50)) insert(other, {Op::join, process}, at + 1);
      } else if (random_.chance(40)) {
        insert(other, {Op::join, process}, 0);
      }
    }
  }

  std::size_t insert(std::size_t process, ModelStep step, std::size_t earliest) {
    std::vector<ModelStep>& steps = model_.processes[process].steps;
    std::size_t at = earliest + random_.below(static_cast<unsigned>(steps.size() - earliest + 1));
    if (at > 0 && steps[at - 1].op == Op::enqueue) ++at;  // whoever queues up waits at once
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), step);
    return at;
  }

  Random random_;
  const Features& features_;
  unsigned variables_ = 1;
  std::vector<Op> ops_;
  Model model_;
};

// --- shrinking -----------------------------------------------------------------------------------

std::optional<Model> without_step(const Model& model, std::size_t process, std::size_t at) {
  Model smaller = model;
  auto& steps = smaller.processes[process].steps;
  const auto from = steps.begin() + static_cast<std::ptrdiff_t>(at);
  if (from->op == Op::wake || from->op == Op::wake_free) return std::nullopt;
  steps.erase(from, from + (from->op == Op::enqueue ? 2 : 1));  // queueing up and waiting are one
  if (steps.empty()) return std::nullopt;
  return smaller;
}

bool names_a_process(const ModelStep& step) { return step.op == Op::spawn || step.op == Op::join; }

std::optional<Model> without_process(const Model& model, std::size_t removed) {
  if (model.processes.size() == 1) return std::nullopt;
  Model smaller = model;
  smaller.processes.erase(smaller.processes.begin() + static_cast<std::ptrdiff_t>(removed));
  smaller.processes[0].present = true;
  for (ModelProcess& process : smaller.processes) {
    std::erase_if(process.steps, [&](const ModelStep& step) {
      return names_a_process(step) && step.x == removed;
    });
    if (process.steps.empty()) return std::nullopt;
    for (ModelStep& step : process.steps) {
      if (names_a_process(step) && step.x > removed) --step.x;
    }
  }
  return smaller;
}

std::vector<ModelStep> simpler(const ModelStep& step) {
  switch (step.op) {
    case Op::swap:
    case Op::copy:
    case Op::conditional:
      return {{Op::write, step.y, 0, 1}, {Op::read, step.x}, {Op::copy, step.x, step.y}};
    case Op::sum:
    case Op::set_bits: return {{Op::add, step.x, 0, step.c}, {Op::sum, step.x, 0, step.c}};
    case Op::add:
    case Op::write_sum:
    case Op::choose_write: return {{Op::write, step.x, 0, 1}, {Op::write, step.x, 0, step.c}};
    case Op::read_branch:
    case Op::check:
    case Op::await: return {{Op::read, step.x}};
    case Op::wake: return {{Op::wake_free, step.x}};
    case Op::broadcast: return {{Op::signal, step.x}};
    case Op::try_lock: return {{Op::lock, step.x}};
    case Op::try_branch: return {{Op::try_lock, step.x}};
    case Op::sem_try: return {{Op::sem_wait, step.x}};
    case Op::try_share: return {{Op::share, step.x}};
    case Op::share_branch: return {{Op::try_share, step.x}};
    case Op::try_alone: return {{Op::take_alone, step.x}};
    case Op::exchange: return {{Op::write, step.x, 0, step.d}, {Op::read, step.x}};
    case Op::exchange_branch:
      return {{Op::exchange, step.x, 0, step.c, step.d}, {Op::read_branch, step.x, 0, step.c}};
    default: return {};
  }
}

std::vector<Model> candidates(const Model& model) {
  std::vector<Model> all;
  for (std::size_t process = model.processes.size(); process-- > 0;) {
    if (auto smaller = without_process(model, process)) all.push_back(std::move(*smaller));
  }
  for (std::size_t process = 0; process < model.processes.size(); ++process) {
    const auto& steps = model.processes[process].steps;
    for (std::size_t at = steps.size(); at-- > 0;) {
      if (auto smaller = without_step(model, process, at)) all.push_back(std::move(*smaller));
      for (const ModelStep& step : simpler(steps[at])) {
        if (to_string(step) == to_string(steps[at])) continue;
        all.push_back(model);
        all.back().processes[process].steps[at] = step;
      }
    }
  }
  return all;
}

}  // namespace

std::span<const Features> feature_sets() {
  static const std::array<Features, 21> sets = [] {
    std::array<Features, 21> all{};
    all[0] = {.name = "plain", .blocks = true, .checks = true};
    all[1] = {.name = "mutexes", .checks = true, .mutexes = true};
    all[2] = {.name = "choices", .checks = true, .choices = true};
    all[3] = {.name = "processes", .checks = true, .processes = true};
    all[4] = {.name = "exits", .checks = true, .exits = true};
    all[5] = {.name = "awaits", .blocks = true, .awaits = true};
    all[6] = {.name = "semaphores", .semaphores = true};
    all[7] = {.name = "conditions", .mutexes = true, .conditions = true};
    all[8] = {.name = "signals", .choices = true, .processes = true, .conditions = true};
    all[9] = {.name = "exchanges", .checks = true, .attempts = true};
    all[10] = {.name = "attempts", .mutexes = true, .semaphores = true, .attempts = true};
    all[11] = {.name = "ends", .mutexes = true, .processes = true, .exits = true, .attempts = true};
    all[12] = {.name = "sums", .checks = true, .sums = true};
    all[13] = {.name = "large_sums", .blocks = true, .attempts = true, .sums = true};
    all[14] = {.name = "sums_of_others",
               .mutexes = true,
               .choices = true,
               .processes = true,
               .sums = true};
    all[15] = {.name = "everything",
               .blocks = true,
               .checks = true,
               .mutexes = true,
               .choices = true,
               .processes = true,
               .exits = true,
               .awaits = true,
               .semaphores = true,
               .conditions = true,
               .attempts = true};
    all[16] = {.name = "shared_locks", .shared_locks = true};
    all[17] = {.name = "tried_shared_locks", .attempts = true, .shared_locks = true};
    all[18] = {.name = "shared_locks_and_others",
               .checks = true,
               .mutexes = true,
               .choices = true,
               .processes = true,
               .semaphores = true,
               .attempts = true,
               .shared_locks = true};
    all[19] = {.name = "detours", .attempts = true, .detours = true};
    all[20] = {.name = "detours_with_locks",
               .mutexes = true,
               .attempts = true,
               .shared_locks = true,
               .detours = true};
    return all;
  }();
  return sets;
}

const Features* find_features(std::string_view name) {
  const auto all = feature_sets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Features& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Model random_model(std::uint64_t seed, const Features& features) {
  return Generator(seed, features).generate();
}

Model shrink(Model model, const std::function<bool(const Model&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (Model& candidate : candidates(model)) {
      if (!fails(candidate)) continue;
      model = std::move(candidate);
      smaller = true;
      break;
    }
  }
  return model;
}

}  // namespace mazurka::oracle
