// What a search is, for those who take part in it and those who look on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::cluster {

struct Description {
  std::string program;  // as the user named it
  std::string technique;
  std::string user;
  std::string host;
  std::vector<std::string> arguments;
  std::uint64_t max_memory = 0;
  bool of_mpi = false;
  std::string kinship;
};

[[nodiscard]] std::string to_text(const Description& description);
/// Throws host::InputError.
[[nodiscard]] Description description_from(const std::string& text);

[[nodiscard]] std::string user_name();
[[nodiscard]] std::string host_name();

}  // namespace mazurka::cluster
