#include "studio/runs.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/check.hpp"

namespace mazurka::studio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_lines = 3000;            // of progress that are kept
constexpr std::size_t most_said = 64 << 10;         // bytes
constexpr std::size_t most_kept = 200;              // runs
constexpr auto patience = std::chrono::seconds(3);  // until one that was asked to end is killed

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

fs::path new_folder() {
  std::string name = (fs::temp_directory_path() / "mazurka-studio-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("no folder for the runs can be made: " +
                             std::string(std::strerror(errno)));
  }
  return name;
}

/// In the child: becomes `mazurka check`, with a group of its own, which ends with us.
[[noreturn]] void become(const std::vector<std::string>& words, const fs::path& folder, int output,
                         pid_t parent) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent || chdir(folder.c_str()) != 0) _exit(2);
  const int nowhere = open("/dev/null", O_RDONLY);
  dup2(nowhere, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  setenv("MAZURKA_COMMAND", "mazurka", 1);  // in the commands that it suggests
  sigset_t none;                            // we have some blocked
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  execv(arguments[0], arguments.data());
  _exit(2);
}

}  // namespace

struct Runs::Run {
  fs::path folder;
  pid_t process = -1;
  int output = -1;
  Seen seen;
  std::vector<std::string> lines;
  std::size_t forgotten = 0;  // lines
  std::chrono::steady_clock::time_point stopped_at;
  std::thread watcher;
};

Runs::Runs(fs::path mazurka, std::size_t most)
    : mazurka_(std::move(mazurka)), most_(most), folder_(new_folder()) {}

Runs::~Runs() {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, run] : runs_) {
      if (run->seen.running) kill(-run->process, SIGKILL);
    }
  }
  for (const auto& [number, run] : runs_) {
    if (run->watcher.joinable()) run->watcher.join();
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::size_t Runs::running() const {
  return static_cast<std::size_t>(std::count_if(
      runs_.begin(), runs_.end(), [](const auto& one) { return one.second->seen.running; }));
}

std::optional<std::size_t> Runs::begin(const Wanted& wanted) {
  const std::lock_guard lock(mutex_);
  if (running() >= most_) return std::nullopt;
  if (begun_ >= most_kept) {
    throw std::runtime_error("there were too many runs; begin the studio again");
  }
  const std::size_t number = ++begun_;
  auto run = std::make_unique<Run>();
  run->folder = folder_ / std::to_string(number);
  fs::create_directory(run->folder);
  std::ofstream(run->folder / wanted.file, std::ios::binary) << wanted.text;
  std::vector<std::string> words{mazurka_.string(), "check", wanted.file};
  words.insert(words.end(), wanted.options.begin(), wanted.options.end());
  for (const char* word : {"--json", "outcome.json", "--html", "report.html", "--progress", "json",
                           "--color", "never"}) {
    words.emplace_back(word);
  }
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error(std::strerror(errno));
  const pid_t parent = getpid();
  run->process = fork();
  if (run->process == 0) become(words, run->folder, ends[1], parent);
  close(ends[1]);
  if (run->process < 0) {
    close(ends[0]);
    throw std::runtime_error("the check can not be started: " + std::string(std::strerror(errno)));
  }
  MAZURKA_CHECK(!runs_.contains(number), "a run has a number of its own");
  run->output = ends[0];
  run->seen.running = true;
  Run& begun = *run;
  runs_[number] = std::move(run);
  begun.watcher = std::thread([this, &begun] { watch(begun); });
  return number;
}

/// Reads what it writes until it ends.
void Runs::watch(Run& run) {
  std::string rest;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t size = read(run.output, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    rest.append(part.data(), static_cast<std::size_t>(size));
    std::size_t end = 0;
    while ((end = rest.find('\n')) != std::string::npos) {
      note(run, rest.substr(0, end));
      rest.erase(0, end + 1);
    }
    if (rest.size() > most_said) rest.clear();
  }
  if (!rest.empty()) note(run, rest);
  close(run.output);
  int status = 0;
  while (waitpid(run.process, &status, 0) < 0 && errno == EINTR) {
  }
  const std::lock_guard lock(mutex_);
  kill(-run.process, SIGKILL);  // what it has left behind
  run.seen.running = false;
  run.seen.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

void Runs::note(Run& run, const std::string& line) const {
  const std::lock_guard lock(mutex_);
  if (line.starts_with("{\"")) {
    run.lines.push_back(line);
    ++run.seen.count;
    run.seen.progress = line;
    MAZURKA_CHECK(run.seen.count == run.forgotten + run.lines.size(), "lines are counted");
    if (run.lines.size() > most_lines) {
      run.lines.erase(run.lines.begin());
      ++run.forgotten;
    }
    return;
  }
  run.seen.said += line + "\n";
  if (run.seen.said.size() > most_said) run.seen.said.erase(0, run.seen.said.size() - most_said);
}

std::optional<Seen> Runs::look(std::size_t number, std::size_t from) const {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(number);
  if (found == runs_.end()) return std::nullopt;
  Run& run = *found->second;
  Seen seen = run.seen;
  for (std::size_t at = std::max(from, run.forgotten); at < run.seen.count; ++at) {
    seen.lines.push_back(run.lines[at - run.forgotten]);
  }
  const bool late = std::chrono::steady_clock::now() > run.stopped_at + patience;
  if (seen.running && seen.stopped && late) kill(-run.process, SIGKILL);
  return seen;
}

bool Runs::stop(std::size_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(number);
  if (found == runs_.end() || !found->second->seen.running) return false;
  Run& run = *found->second;
  kill(run.process, run.seen.stopped ? SIGKILL : SIGINT);
  if (!run.seen.stopped) run.stopped_at = std::chrono::steady_clock::now();
  run.seen.stopped = true;
  return true;
}

std::optional<std::string> Runs::left(std::size_t number, const std::string& file) const {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(number);
  if (found == runs_.end() || found->second->seen.running) return std::nullopt;
  const fs::path path = found->second->folder / file;
  if (!fs::is_regular_file(path)) return std::nullopt;
  return read_file(path);
}

std::optional<std::string> Runs::schedule(std::size_t number, std::size_t nth) const {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(number);
  if (found == runs_.end()) return std::nullopt;
  const std::string ending = "-" + std::to_string(nth) + ".schedule";
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(found->second->folder / ".mazurka", ignored)) {
    if (file.path().filename().string().ends_with(ending)) return read_file(file.path());
  }
  return std::nullopt;
}

}  // namespace mazurka::studio
