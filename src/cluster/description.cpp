#include "cluster/description.hpp"

#include <pwd.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "host/files.hpp"

namespace mazurka::cluster {

using nlohmann::json;

std::string to_text(const Description& description) {
  const json text{{"program", description.program},     {"technique", description.technique},
                  {"user", description.user},           {"host", description.host},
                  {"arguments", description.arguments}, {"max_memory", description.max_memory},
                  {"of_mpi", description.of_mpi},       {"kinship", description.kinship}};
  return text.dump(-1, ' ', false, json::error_handler_t::replace);
}

Description description_from(const std::string& text) {
  try {
    const json about = json::parse(text);
    Description description;
    about.at("program").get_to(description.program);
    about.at("technique").get_to(description.technique);
    about.at("user").get_to(description.user);
    about.at("host").get_to(description.host);
    about.at("arguments").get_to(description.arguments);
    about.at("max_memory").get_to(description.max_memory);
    about.at("of_mpi").get_to(description.of_mpi);
    about.at("kinship").get_to(description.kinship);
    return description;
  } catch (const json::exception& error) {
    throw host::InputError(std::string("a search on the server is damaged: ") + error.what());
  }
}

std::string user_name() {
  const passwd* const user = getpwuid(geteuid());  // NOLINT(concurrency-mt-unsafe)
  return user != nullptr ? user->pw_name : std::to_string(geteuid());
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace mazurka::cluster
