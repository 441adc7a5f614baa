#include "host/schedule_file.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "core/check.hpp"
#include "core/members.hpp"
#include "host/files.hpp"
#include "host/ownership.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

json to_json(const ScheduleFile& schedule) {
  static_assert(count_of_members<Checks> == 18 && count_of_members<Refinement> == 5,
                "a schedule says all that its program was checked with");
  json decisions = json::array();
  for (const Decision& decision : schedule.decisions) {
    decisions.push_back({index(decision.process), decision.choice});
  }
  const Target& target = schedule.target;
  json suppressions = json::array();
  for (const Suppression& one : target.checks.suppressions) {
    suppressions.push_back(
        {{"pattern", one.pattern}, {"top_only", one.top_only}, {"origin", one.origin}});
  }
  return {{"mazurka_schedule", schedule_format},
          {"program", target.shown},
          {"binary", target.binary.string()},
          {"binary_identity", schedule.binary_identity},
          {"folder", target.folder.string()},
          {"source", target.source.string()},
          {"source_identity", schedule.source_identity},
          {"compiler", target.compiler == Compiler::clang ? "clang" : "gcc"},
          {"flags", target.flags},
          {"arguments", target.arguments},
          {"function", target.function},
          {"racy", target.racy},
          {"spurious", target.checks.spurious},
          {"weak_cas", target.checks.weak_cas},
          {"leaks", target.checks.leaks},
          {"heap", target.checks.heap},
          {"uninitialised", target.checks.uninitialised},
          {"memory", name_of(target.checks.memory)},
          {"graphs", target.checks.graphs},
          {"races", target.checks.races},
          {"exit_code", target.checks.exit_code},
          {"liveness", target.checks.liveness},
          {"volatile_atomic", target.checks.volatile_atomic},
          {"ranks", target.checks.ranks},
          {"buffering", name_of(target.checks.buffering)},
          {"collectives", name_of(target.checks.collectives)},
          {"message_races", target.checks.message_races},
          {"rules", target.checks.rules},
          {"suppressions", suppressions},
          {"exposed", target.checks.refinement.exposed},
          {"escaped", target.checks.refinement.escaped},
          {"guards", target.checks.refinement.guards},
          {"ordered_barriers", target.checks.refinement.ordered},
          {"latches_by_library", target.checks.refinement.latches_by_library},
          {"kind", schedule.kind},
          {"message", schedule.message},
          {"decisions", decisions}};
}

MemoryModel memory_model_of(const std::string& name) {
  for (const MemoryModel model : memory_models) {
    if (name == name_of(model)) return model;
  }
  throw std::invalid_argument("no such memory model: " + name);
}

Buffering buffering_of(const std::string& name) {
  for (const Buffering buffering : bufferings) {
    if (name == name_of(buffering)) return buffering;
  }
  throw std::invalid_argument("no such buffering: " + name);
}

CollectiveWaits collectives_of(const std::string& name) {
  for (const CollectiveWaits waits : all_collective_waits) {
    if (name == name_of(waits)) return waits;
  }
  throw std::invalid_argument("no such collectives: " + name);
}

Compiler compiler_of(const std::string& name) {
  if (name != "gcc" && name != "clang") throw std::invalid_argument("no such compiler: " + name);
  return name == "clang" ? Compiler::clang : Compiler::gcc;
}

ScheduleFile from_json(const json& data) {
  ScheduleFile schedule;
  Target& target = schedule.target;
  target.shown = data.at("program").get<std::string>();
  target.binary = data.at("binary").get<std::string>();
  target.source = data.at("source").get<std::string>();
  target.folder = data.value("folder", "");
  target.flags = data.at("flags").get<std::vector<std::string>>();
  target.arguments = data.at("arguments").get<std::vector<std::string>>();
  target.compiler = compiler_of(data.at("compiler").get<std::string>());
  target.racy = data.at("racy").get<bool>();
  target.checks.spurious = data.value("spurious", target.checks.spurious);
  target.checks.weak_cas = data.value("weak_cas", target.checks.weak_cas);
  target.checks.leaks = data.value("leaks", target.checks.leaks);
  target.checks.heap = data.value("heap", target.checks.heap);
  target.checks.uninitialised = data.value("uninitialised", target.checks.uninitialised);
  target.checks.memory = memory_model_of(data.value("memory", "sc"));
  target.checks.graphs = data.value("graphs", false);
  target.checks.races = data.value("races", target.checks.races);
  target.checks.exit_code = data.value("exit_code", target.checks.exit_code);
  target.checks.liveness = data.value("liveness", target.checks.liveness);
  target.checks.volatile_atomic = data.value("volatile_atomic", false);
  target.checks.ranks = data.value("ranks", target.checks.ranks);
  target.checks.buffering = buffering_of(data.value("buffering", "both"));
  target.checks.collectives = collectives_of(data.value("collectives", "sync"));
  target.checks.message_races = data.value("message_races", false);
  target.checks.rules = data.value("rules", std::string());
  for (const json& one : data.value("suppressions", json::array())) {
    target.checks.suppressions.push_back({one.at("pattern").get<std::string>(),
                                          one.at("top_only").get<bool>(),
                                          one.at("origin").get<std::string>()});
  }
  Refinement& refinement = target.checks.refinement;
  refinement.exposed = data.value("exposed", refinement.exposed);
  refinement.escaped = data.value("escaped", refinement.escaped);
  refinement.guards = data.value("guards", refinement.guards);
  refinement.ordered = data.value("ordered_barriers", refinement.ordered);
  refinement.latches_by_library = data.value("latches_by_library", false);
  target.function = data.value("function", "");
  schedule.binary_identity = data.at("binary_identity").get<std::string>();
  schedule.source_identity = data.at("source_identity").get<std::string>();
  schedule.kind = data.at("kind").get<std::string>();
  schedule.message = data.at("message").get<std::string>();
  for (const json& entry : data.at("decisions")) {
    const auto process = entry.at(0).get<std::uint32_t>();
    const auto choice = entry.at(1).get<std::uint32_t>();
    if (process > max_processes || choice > 0xffff) throw std::out_of_range("no such decision");
    schedule.decisions.push_back(
        {ProcessId{static_cast<std::uint16_t>(process)}, static_cast<std::uint16_t>(choice)});
  }
  return schedule;
}

}  // namespace

void identify(ScheduleFile& schedule) {
  schedule.binary_identity = file_identity(schedule.target.binary);
  if (schedule.target.source.empty()) return;
  const fs::path source = schedule.target.folder / schedule.target.source;
  std::error_code ignored;
  if (fs::exists(source, ignored)) schedule.source_identity = file_identity(source);
}

std::string to_text(const ScheduleFile& schedule) {
  // Text of the program may be in any encoding.
  return to_json(schedule).dump(-1, ' ', false, json::error_handler_t::replace);
}

fs::path save(const ScheduleFile& schedule, std::size_t number) {
  MAZURKA_CHECK(number > 0 && !schedule.binary_identity.empty(),
                "a schedule has a number, and belongs to a program");
  const fs::path& binary = schedule.target.binary;
  std::string name = binary.filename().string();
  if (schedule.target.source.empty()) name += "-" + schedule.binary_identity.substr(0, 8);
  const fs::path file = work_folder() / (name + "-" + std::to_string(number) + ".schedule");
  write_text(file, to_text(schedule) + "\n");
  return file;
}

ScheduleFile load_schedule(const fs::path& file) {
  return schedule_from_text(read_text(file), file.string());
}

ScheduleFile schedule_from_text(const std::string& text, const std::string& shown) {
  const json data = json::parse(text, nullptr, false);
  const std::string advice = "; give a .schedule file that mazurka check wrote";
  if (data.is_discarded() || !data.is_object() || !data.contains("mazurka_schedule")) {
    throw InputError(shown + " is not a schedule" + advice);
  }
  if (data["mazurka_schedule"] != schedule_format) {
    throw InputError(shown + " was written by another version of Mazurka; check the " +
                     "program again for a new schedule");
  }
  try {
    return from_json(data);
  } catch (const std::exception& error) {
    throw InputError(shown + " is a damaged schedule (" + error.what() + ")" + advice);
  }
}

}  // namespace mazurka::host
