// The checks that were asked for: each is a `mazurka check` of its own, in a folder of its own,
// that is watched through the lines it writes. All of them end with the studio.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mazurka::studio {

struct Wanted {
  std::string file;                  // its name, without folders
  std::string text;                  // of the program
  std::vector<std::string> options;  // for `mazurka check`
};

/// What is known of a run.
struct Seen {
  bool running = false;
  bool stopped = false;            // somebody wanted it to end
  int exit_code = 0;               // if it has ended
  std::string progress;            // the latest line of JSON; empty: none yet
  std::vector<std::string> lines;  // all of them since `from`
  std::size_t count = 0;           // of lines so far
  std::string said;                // what else it wrote, the end of it
};

class Runs {
 public:
  /// `mazurka`: the program; `most`: so many at one time.
  Runs(std::filesystem::path mazurka, std::size_t most);
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;
  ~Runs();

  /// The number of the new run; nothing if too many are under way. Throws std::runtime_error.
  [[nodiscard]] std::optional<std::size_t> begin(const Wanted& wanted);
  /// What it has done since it had written `from` lines of progress.
  [[nodiscard]] std::optional<Seen> look(std::size_t run, std::size_t from) const;
  /// Asks it to end; kills it if it does not.
  bool stop(std::size_t run);
  /// A file that it has left: "report.html", "outcome.json", or a schedule by its number.
  [[nodiscard]] std::optional<std::string> left(std::size_t run, const std::string& file) const;
  [[nodiscard]] std::optional<std::string> schedule(std::size_t run, std::size_t number) const;

 private:
  struct Run;
  void watch(Run& run);
  void note(Run& run, const std::string& line) const;
  [[nodiscard]] std::size_t running() const;

  std::filesystem::path mazurka_;
  std::size_t most_;
  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::map<std::size_t, std::unique_ptr<Run>> runs_;
  std::size_t begun_ = 0;
};

}  // namespace mazurka::studio
