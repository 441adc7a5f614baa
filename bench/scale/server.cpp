#include "server.hpp"

#include <atomic>
#include <chrono>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cluster/store.hpp"

namespace mazurka::scale {

namespace {

using Clock = std::chrono::steady_clock;
using cluster::Store;

constexpr std::chrono::milliseconds silence{60000};

double since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// Seconds that the server's processor has worked.
double processor_time(Store& store) {
  std::istringstream lines(store.connection().command({"INFO", "cpu"}).text);
  double all = 0;
  for (std::string line; std::getline(lines, line);) {
    for (const char* const name : {"used_cpu_sys:", "used_cpu_user:"}) {
      if (line.starts_with(name)) all += std::stod(line.substr(line.find(':') + 1));
    }
  }
  return all;
}

/// As many numbers as the result of a real task has.
cluster::Result made_result(std::size_t rest) {
  host::Reply reply;
  reply.statistics.executions = 1000;
  cluster::Result result;
  result.rest.assign(rest, 'x');
  result.tasks = 1;
  result.numbers = cluster::numbers_of(reply, {});
  result.executions = 1000;
  result.milliseconds = 1000;
  return result;
}

/// Takes and finishes until the time is over. Returns the number of tasks.
std::uint64_t take_and_finish(const cluster::Address& address, const std::string& id,
                              const std::string& slot, std::size_t rest, double seconds) {
  Store store(address, {});
  const cluster::Result result = made_result(rest);
  std::uint64_t tasks = 0;
  for (const Clock::time_point begun = Clock::now(); since(begun) < seconds;) {
    (void)store.searches();
    const auto task = store.take(id, slot, silence);
    if (!task) continue;
    if (!store.finish(id, *task, slot, "worker", result)) throw std::runtime_error("not counted");
    ++tasks;
  }
  return tasks;
}

std::string put(Store& store, std::size_t rest, unsigned clients) {
  cluster::NewSearch search;
  search.id = search.name = "bench-" + cluster::new_name();
  search.binary = "bench";
  search.first = made_result(rest);
  search.first.tasks = clients;
  store.put(search, "program");
  return search.id;
}

}  // namespace

ServerCosts measure_server(const std::string& text, std::size_t rest, unsigned clients,
                           double seconds) {
  const cluster::Address address = cluster::parse_address(text);
  Store store(address, {});
  for (unsigned slot = 0; slot < 2 * clients; ++slot) {  // all are alive: so many parts are made
    (void)store.take("nothing", "slot" + std::to_string(slot), silence);
  }
  const std::string id = put(store, rest, 2 * clients);
  ServerCosts costs;
  std::atomic<std::uint64_t> tasks{0};
  double before = processor_time(store);
  Clock::time_point begun = Clock::now();
  std::vector<std::thread> threads;
  for (unsigned client = 0; client < clients; ++client) {
    threads.emplace_back([&, client] {
      tasks += take_and_finish(address, id, "slot" + std::to_string(client), rest, seconds);
    });
  }
  for (std::thread& one : threads) one.join();
  costs.tasks_per_second = static_cast<double>(tasks) / since(begun);
  costs.task = (processor_time(store) - before) / static_cast<double>(tasks);

  store.stop(id);  // nothing is handed out: that is what idle workers see
  constexpr int polls = 2000;
  before = processor_time(store);
  begun = Clock::now();
  for (int at = 0; at < polls; ++at) {
    (void)store.searches();
    (void)store.take(id, "slot0", silence);
  }
  costs.round_trip = since(begun) / (2 * polls);
  costs.poll = (processor_time(store) - before) / polls;
  (void)store.remove(id, "told");
  return costs;
}

}  // namespace mazurka::scale
