#include "cluster/workplace.hpp"

#include <random>

#include "cluster/description.hpp"
#include "cluster/kinship.hpp"
#include "core/check.hpp"
#include "host/files.hpp"
#include "host/system_calls.hpp"
#include "host/wire.hpp"

namespace mazurka::cluster {

namespace fs = std::filesystem;

fs::path Workplace::new_file() {
  const std::lock_guard guard(mutex_);
  return folder_ / std::to_string(files_++);
}

fs::path Workplace::fetched(Store& store, const std::string& name, const std::string& shown) {
  const std::string own = fs::path(shown).stem().string();
  const fs::path folder = folder_ / ("program-" + name);
  const fs::path file = folder / (own.empty() ? "program" : own);
  if (fs::exists(file)) return file;
  const std::optional<std::string> contents = store.binary(name);
  if (!contents) return {};
  if (binary_name(*contents) != name) throw Unfit("the program that the server has is another one");
  fs::create_directories(folder);
  host::write_text(file, *contents);
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

std::shared_ptr<const Assignment> Workplace::assignment(Store& store, const std::string& id) {
  const std::lock_guard guard(mutex_);
  if (const auto known = known_.find(id); known != known_.end()) return known->second;
  const std::optional<std::string> about = store.field(id, "about");
  const std::optional<std::string> request = store.field(id, "request");
  const std::optional<std::string> binary = store.field(id, "binary");
  const std::optional<std::string> libraries = store.field(id, "libraries");
  if (!about || !request || !binary || !libraries) return nullptr;
  const Description description = description_from(*about);
  const std::string differs = difference(description.kinship, kinship(description.of_mpi));
  if (!differs.empty()) {
    throw Unfit("this machine can not take part: " + differs +
                "; use the same release of Mazurka on the same kind of machine");
  }
  auto assignment = std::make_shared<Assignment>();
  assignment->id = id;
  assignment->libraries = *libraries;
  assignment->shown = description.program;
  host::Launch& launch = assignment->launch;
  try {
    launch.request = host::decode_request(to_bytes(*request));
  } catch (const host::WireError& error) {
    throw Unfit(error.what());
  }
  launch.binary = fetched(store, *binary, description.program);
  if (launch.binary.empty()) return nullptr;
  MAZURKA_CHECK(!assignment->id.empty(), "a task is one of a search");
  launch.arguments = description.arguments;
  launch.max_memory = description.max_memory;
  launch.discard_output = true;
  launch.bare = true;
  launch.request.filter_key = std::random_device()() | std::uint64_t{std::random_device()()} << 32U;
  launch.request.filter = host::make_filter(launch.request.filter_key);
  const auto& suppressions = launch.request.checks.suppressions;
  if (host::asks(launch.request.checks)) {  // all jobs ask the same judge
    launch.on_race = [judge = options_.make_judge(suppressions),
                      asking = std::make_shared<std::mutex>()](const host::RaceQuestion& asked) {
      const std::lock_guard one_at_a_time(*asking);
      return judge(asked);
    };
  }
  known_[id] = assignment;
  return assignment;
}

}  // namespace mazurka::cluster
