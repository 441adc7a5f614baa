#include "driver/saver.hpp"

#include <stdexcept>

#include "core/archive.hpp"
#include "core/check.hpp"
#include "driver/exploration_file.hpp"
#include "driver/explored.hpp"
#include "explorers/table.hpp"

namespace mazurka {

Saver::Saver(const Plan& plan, Watcher& watcher, const Program& program, Session& session,
             Explorer& explorer)
    : plan_(plan),
      watcher_(watcher),
      program_(program),
      session_(session),
      explorer_(explorer),
      saves_(!plan.saving.file.empty() && resumable()) {}

// Tasks say who moves and nothing else; who that is, the session saves.
bool Saver::resumable() const {
  return explorer_.resumable() && (program_.resumable() || technique_of(plan_.technique).divisible);
}

bool Saver::resume() {
  if (!resumable()) {
    throw std::invalid_argument("the technique `" + plan_.technique +
                                "` can not go on with a saved exploration");
  }
  return load() && explorer_.resume();
}

bool Saver::load() {
  const ExplorationFile saved = read_exploration(plan_.saving.resume_file);
  ArchiveReader archive(saved.state);
  session_.load(archive);
  if (!explorer_.load(session_, archive)) return false;
  if (plan_.saving.parts == 0) return true;
  MAZURKA_CHECK(plan_.saving.part < plan_.saving.parts, "a part is one of so many");
  session_.count_anew();
  if (!explorer_.keep_part(plan_.saving.part, plan_.saving.parts)) {
    throw std::invalid_argument("the technique `" + plan_.technique +
                                "` can not explore a part of what is left");
  }
  return true;
}

void Saver::pause() {
  if (!saves_) return;
  const bool cut = could_go_on(session_.stopped());
  if (session_.stopped() != Stop::none && !cut) return;
  // What was explored is void, or the latest execution did not come to its end.
  if (program_.abandoned()) return;
  if (!cut && (++pauses_ % pauses_per_look != 0 || Clock::now() < next_)) return;
  save();
  has_saved_the_end_ = cut && failure_ == 0;
  next_ = Clock::now() + interval();
}

void Saver::save() {
  MAZURKA_CHECK(resumable() && plan_.make_file != nullptr, "what is saved can be gone on with");
  const std::unique_ptr<NewFile> file = plan_.make_file(plan_.saving.file);
  failure_ = write_exploration(*file, plan_.saving.about, [&](ArchiveWriter& archive) {
    session_.save(archive);
    explorer_.save(archive);
  });
  if (failure_ == 0) watcher_.saved();
}

Saver::Clock::duration Saver::interval() const {
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(plan_.saving.seconds));
}

}  // namespace mazurka
