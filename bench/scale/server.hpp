// What one server can do: tasks that are taken and finished, without anybody who explores.
#pragma once

#include <string>

namespace mazurka::scale {

struct ServerCosts {
  double task = 0;              // seconds of the server's processor, for a task
  double poll = 0;              // for somebody who finds nothing to do
  double round_trip = 0;        // seconds from question to answer, with nobody else there
  double tasks_per_second = 0;  // with all that ask at once
};

/// `rest`: bytes of what a task leaves; `clients` ask at once, for so many seconds. The server
/// should have nothing else to do.
[[nodiscard]] ServerCosts measure_server(const std::string& address, std::size_t rest,
                                         unsigned clients, double seconds);

}  // namespace mazurka::scale
