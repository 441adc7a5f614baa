#include "explorers/reverse/task.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::reverse {
namespace {

void require_consistent(const Task& task) {
  std::uint32_t from = 0;
  for (const Turn& turn : task.turns) {
    if (turn.first < from || turn.last < turn.first || turn.end() > task.prefix.size()) {
      throw ArchiveError("the turns of a task contradict each other");
    }
    from = turn.end();
  }
  if (from != task.prefix.size()) throw ArchiveError("a task does not end with a turn");
}

}  // namespace

void Prefix::spell_out(std::vector<Decision>& decisions,
                       std::vector<std::uint32_t>& sources) const {
  decisions.clear();
  MAZURKA_CHECK(shared_ == 0 || (performed_ != nullptr && shared_ <= performed_->size()),
                "what is shared are decisions of an execution that was performed");
  MAZURKA_CHECK(sources_.size() <= own_.size(), "a source is that of a decision");
  decisions.reserve(size());
  if (shared_ > 0) decisions.assign(performed_->begin(), performed_->begin() + shared_);
  decisions.insert(decisions.end(), own_.begin(), own_.end());
  sources.clear();
  if (sources_.empty()) return;
  sources.assign(shared_, by_outcome);
  sources.insert(sources.end(), sources_.begin(), sources_.end());
}

void save_tasks(ArchiveWriter& archive, const std::vector<Task>& tasks) {
  archive(std::uint64_t{tasks.size()});
  const std::vector<Decision>* latest = nullptr;
  for (const Task& task : tasks) {
    const std::vector<Decision>* const own = task.prefix.performed().get();
    const bool is_new = own != latest;
    archive(is_new);
    if (is_new) archive(own == nullptr ? std::vector<Decision>{} : *own);
    latest = own;
    archive(task);
  }
}

std::vector<Task> load_tasks(ArchiveReader& archive) {
  std::uint64_t count = 0;
  archive(count);
  std::vector<Task> tasks;
  Prefix::Performed latest;
  for (; count > 0; --count) {
    bool is_new = false;
    archive(is_new);
    if (is_new) {
      std::vector<Decision> performed;
      archive(performed);
      latest = std::make_shared<const std::vector<Decision>>(std::move(performed));
    }
    Task& task = tasks.emplace_back();
    archive(task);
    Prefix& prefix = task.prefix;
    if (prefix.shared_ > (latest ? latest->size() : 0) ||
        prefix.sources_.size() > prefix.own_.size()) {
      throw ArchiveError("the decisions of a task contradict each other");
    }
    prefix.performed_ = latest;
    require_consistent(task);
  }
  return tasks;
}

}  // namespace mazurka::reverse
