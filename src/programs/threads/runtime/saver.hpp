// Saves the exploration while it goes on: every few seconds, and when it is cut.
#pragma once

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "core/archive.hpp"
#include "core/explorer.hpp"
#include "core/session.hpp"
#include "programs/threads/exploration_file.hpp"
#include "programs/threads/protocol.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

class Saver {
 public:
  Saver(const Request& request, Progress& progress, Session& session, const Explorer& explorer)
      : request_(request),
        progress_(progress),
        session_(session),
        explorer_(explorer),
        saves_(!request.save_file.empty() && explorer.resumable()) {}
  Saver(const Saver&) = delete;
  Saver& operator=(const Saver&) = delete;
  ~Saver() = default;

  /// Goes on with the exploration that the request names. Throws ArchiveError.
  bool resume(Explorer& explorer) const {
    if (!explorer.resumable()) {
      throw std::invalid_argument("the technique `" + request_.technique +
                                  "` can not go on with a saved exploration");
    }
    const ExplorationFile saved = read_exploration(request_.resume_file);
    ArchiveReader archive(saved.state);
    session_.load(archive);
    return explorer.resume(session_, archive);
  }

  /// Why what is on disk is not where the search stands: errno of the latest attempt to save, or 0.
  [[nodiscard]] int failure() const { return failure_; }

  /// Between two executions.
  void pause() {
    if (!saves_) return;
    const Stop stop = session_.stopped();
    const bool cut =
        stop == Stop::interrupted || stop == Stop::max_executions || stop == Stop::max_seconds;
    if (stop != Stop::none && !cut) return;
    // What was explored is void, or the latest execution did not come to its end.
    if (runtime->abandoned()) return;
    if (!cut && (++pauses_ % pauses_per_look != 0 || Clock::now() < next_)) return;
    save();
    next_ = Clock::now() + interval();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned pauses_per_look = 16;  // at the clock

  void save() {
    ExplorationFile file;
    file.about = request_.save_about;
    ArchiveWriter archive(file.state);
    session_.save(archive);
    explorer_.save(archive);
    failure_ = write_exploration(request_.save_file, file);
    if (failure_ == 0) progress_.saves.fetch_add(1, std::memory_order_relaxed);
  }

  [[nodiscard]] Clock::duration interval() const {
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(request_.save_seconds));
  }

  const Request& request_;
  Progress& progress_;
  Session& session_;
  const Explorer& explorer_;
  bool saves_;
  int failure_ = 0;  // of the latest attempt
  unsigned pauses_ = 0;
  Clock::time_point next_ = Clock::now() + interval();
};

}  // namespace mazurka::threads
