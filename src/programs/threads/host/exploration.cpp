#include "programs/threads/host/exploration.hpp"

#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "programs/threads/exploration_file.hpp"
#include "programs/threads/host/files.hpp"

namespace mazurka::threads {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path default_save_file(const Target& target) {
  std::string name = target.binary.filename().string();
  if (target.source.empty()) name += "-" + file_identity(target.binary).substr(0, 8);
  return fs::absolute(work_folder() / (name + ".exploration"));
}

std::string describe_exploration(const Target& target, const Request& request) {
  ScheduleFile program;
  program.target = target;
  program.target.binary = fs::absolute(target.binary);
  if (!target.source.empty()) program.target.source = fs::absolute(target.source);
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const json about{{"program", json::parse(to_text(program))},
                   {"technique", request.technique},
                   {"max_events", request.limits.max_events},
                   {"keep_going", request.limits.keep_going},
                   {"seed", request.limits.seed},
                   {"preemptions", request.limits.preemptions},
                   {"stall_seconds", request.stall_seconds},
                   {"usual_bound", request.usual_bound},
                   {"usual_technique", request.usual_technique},
                   {"run", std::to_string(getpid()) + "-" + std::to_string(now)}};
  return about.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool saved_by(const Request& request) {
  try {
    return read_exploration(request.save_file).about == request.save_about;
  } catch (const ArchiveError&) {
    return false;
  }
}

SavedExploration load_exploration(const fs::path& file) {
  const std::string advice = "; give an .exploration file that mazurka check wrote";
  try {
    const json about = json::parse(read_exploration(file.string()).about);
    SavedExploration saved;
    saved.program = schedule_from_text(about.at("program").dump(), file.string());
    saved.request.technique = about.at("technique").get<std::string>();
    saved.request.racy = saved.program.target.racy;
    saved.request.limits.max_events = about.at("max_events").get<std::uint64_t>();
    saved.request.limits.keep_going = about.at("keep_going").get<bool>();
    saved.request.limits.seed = about.at("seed").get<std::uint64_t>();
    saved.request.limits.preemptions = about.at("preemptions").get<std::int32_t>();
    saved.request.stall_seconds = about.at("stall_seconds").get<double>();
    saved.request.usual_bound = about.at("usual_bound").get<bool>();
    saved.request.usual_technique = about.at("usual_technique").get<bool>();
    return saved;
  } catch (const ArchiveError& error) {
    throw InputError(file.string() + " can not be resumed: " + error.what() + advice);
  } catch (const json::exception& error) {
    throw InputError(file.string() + " can not be resumed: it is damaged (" + error.what() + ")" +
                     advice);
  }
}

}  // namespace mazurka::threads
