#include "host/exploration.hpp"

#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "driver/exploration_file.hpp"
#include "host/files.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* what_to_give = "; give an .exploration file that mazurka check wrote";

json options_json(const ScheduleFile& program, const Request& request) {
  return {{"program", json::parse(to_text(program))},
          {"technique", request.technique},
          {"max_events", request.limits.max_events},
          {"keep_going", request.limits.keep_going},
          {"seed", request.limits.seed},
          {"preemptions", request.limits.preemptions},
          {"stall_seconds", request.stall_seconds},
          {"bound_is_default", request.bound_is_default},
          {"technique_is_default", request.technique_is_default}};
}

std::string text_of(const json& data) {
  return data.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string exploration_name(const ScheduleFile& program, const Request& request) {
  const std::string options = text_of(options_json(program, request));
  return program.target.binary.filename().string() + "-" + hash_text(hash(options)).substr(0, 8);
}

std::string describe_exploration(const ScheduleFile& program, const Request& request) {
  json about = options_json(program, request);
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  about["run"] = std::to_string(getpid()) + "-" + std::to_string(now);
  return text_of(about);
}

std::string divided_about(const std::string& about) {
  json divided = json::parse(about, nullptr, false);
  if (!divided.is_object()) return about;
  divided["divided"] = true;
  return text_of(divided);
}

bool is_divided_about(const std::string& about) {
  const json parsed = json::parse(about, nullptr, false);
  return parsed.is_object() && parsed.contains("divided");
}

bool saved_by(const Request& request) {
  try {
    const std::string about = read_exploration(request.save_file).about;
    return about == request.save_about || about == divided_about(request.save_about);
  } catch (const ArchiveError&) {
    return false;
  }
}

SavedExploration saved_exploration(const std::string& text, const std::string& shown) {
  try {
    const json about = json::parse(text);
    SavedExploration saved;
    saved.program = schedule_from_text(about.at("program").dump(), shown);
    saved.request.technique = about.at("technique").get<std::string>();
    saved.request.racy = saved.program.target.racy;
    saved.request.limits.max_events = about.at("max_events").get<std::uint64_t>();
    saved.request.limits.keep_going = about.at("keep_going").get<bool>();
    saved.request.limits.seed = about.at("seed").get<std::uint64_t>();
    saved.request.limits.preemptions = about.at("preemptions").get<std::int32_t>();
    saved.request.stall_seconds = about.at("stall_seconds").get<double>();
    saved.request.bound_is_default = about.at("bound_is_default").get<bool>();
    saved.request.technique_is_default = about.at("technique_is_default").get<bool>();
    return saved;
  } catch (const json::exception& error) {
    throw InputError(shown + " can not be resumed: it is damaged (" + error.what() + ")" +
                     what_to_give);
  }
}

SavedExploration load_exploration(const fs::path& file) {
  try {
    return saved_exploration(read_exploration(file.string()).about, file.string());
  } catch (const ArchiveError& error) {
    throw InputError(file.string() + " can not be resumed: " + error.what() + what_to_give);
  }
}

}  // namespace mazurka::host
