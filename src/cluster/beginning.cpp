#include "cluster/beginning.hpp"

#include <chrono>

#include "cluster/description.hpp"
#include "cluster/ending.hpp"
#include "cluster/kinship.hpp"
#include "core/check.hpp"
#include "host/files.hpp"
#include "host/slice.hpp"
#include "host/wire.hpp"

namespace mazurka::cluster {

using host::Launch;
using host::LaunchResult;
using host::Reply;

namespace {

bool is_past(const Launch& whole) {
  return whole.deadline && std::chrono::steady_clock::now() >= *whole.deadline;
}

}  // namespace

std::optional<std::uint64_t> executions_of(const Launch& whole) {
  const std::uint64_t most = whole.request.limits.max_executions;
  return most == 0 ? std::nullopt : std::optional(most);
}

Beginning begin(const Launch& whole, const std::filesystem::path& file) {
  Beginning beginning;
  host::Slice slice;
  slice.to = file;
  slice.budget = whole.request.limits.max_executions;
  for (unsigned losses = 0; losses <= host::most_losses; ++losses) {
    slice.time = host::after_losses(host::short_slice, losses);
    beginning.first = supervise(launch_of(slice, whole));
    const LaunchResult& result = beginning.first.last;
    if (!host::is_rest_lost(result.reply) || result.by_user || is_past(whole)) break;
  }
  const LaunchResult& result = beginning.first.last;
  if (result.fate == host::Fate::replied && result.reply.rest.tasks > 0) {
    beginning.rest = host::read_text(file);
  }
  return beginning;
}

bool is_all(const Beginning& beginning, const Launch& whole) {
  const LaunchResult& result = beginning.first.last;
  if (decides(result) || result.reply.complete || result.by_user || is_past(whole)) return true;
  const auto most = executions_of(whole);
  return most && result.reply.statistics.begun() >= *most;
}

NewSearch new_search(const std::string& name, const std::string& shown, const Launch& whole,
                     const Beginning& beginning, const std::string& program) {
  const Reply& reply = beginning.first.last.reply;
  host::Request request = whole.request;
  const bool of_mpi = request.checks.ranks > 0;
  const Description about{shown,           request.technique, user_name(), host_name(),
                          whole.arguments, whole.max_memory,  of_mpi,      kinship(of_mpi)};
  request.filter.clear();
  request.limits.max_executions = 0;
  request.limits.max_seconds = 0;
  request.limits.reserved_seconds = 0;
  NewSearch search;
  search.id = name + "-" + new_name().substr(0, 6);
  search.name = name;
  search.binary = binary_name(program);
  search.executions = executions_of(whole);
  search.about = to_text(about);
  search.request = to_text(encode(request));
  search.libraries = Libraries().of(reply.modules);
  search.first.rest = beginning.rest;
  search.first.tasks = reply.rest.tasks;
  search.first.numbers = numbers_of(reply, beginning.first.notes);
  search.first.executions = reply.statistics.begun();
  MAZURKA_CHECK(!search.executions || search.first.executions <= *search.executions,
                "the first slice keeps to the limit");
  return search;
}

}  // namespace mazurka::cluster
