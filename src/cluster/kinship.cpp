#include "cluster/kinship.hpp"

#include <sys/utsname.h>

#include <set>
#include <sstream>

#include "core/check.hpp"
#include "host/files.hpp"

namespace mazurka::cluster {

namespace fs = std::filesystem;

namespace {

std::map<std::string, std::string> lines_of(const std::string& text) {
  std::map<std::string, std::string> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) all[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return all;
}

}  // namespace

std::string kinship(bool of_mpi) {
  utsname machine{};
  uname(&machine);
  const host::Installation installed = host::find_installation();
  return "version: " MAZURKA_VERSION "\nprotocol: " + std::to_string(host::protocol_version) +
         "\narchitecture: " + machine.machine +
         "\nruntime: " + host::file_identity(of_mpi ? installed.mpi : installed.runtime) + "\n";
}

std::string Libraries::of(const std::vector<host::RawModule>& modules) {
  MAZURKA_CHECK(modules.empty() || !modules.front().path.empty(), "the program comes first");
  std::set<std::string> lines;
  for (const host::RawModule& module : modules) {
    const fs::path path = module.path;
    if (path == modules.front().path) continue;  // the program, of which each rank has a copy
    if (!path.is_absolute()) continue;           // the kernel's own
    auto known = known_.find(path.string());
    if (known == known_.end()) {
      known = known_.emplace(path.string(), host::file_identity(path)).first;
    }
    lines.insert(path.filename().string() + ": " + known->second + "\n");
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string difference(const std::string& there, const std::string& here) {
  const auto theirs = lines_of(there);
  const auto ours = lines_of(here);
  for (const auto& [name, value] : theirs) {
    const auto found = ours.find(name);
    const std::string own = found == ours.end() ? "none" : found->second;
    if (own != value) return name + ": " + value + " there, " + own + " here";
  }
  for (const auto& [name, value] : ours) {
    if (!theirs.contains(name)) return name + ": none there, " + value + " here";
  }
  return {};
}

std::string binary_name(const std::string& contents) {
  return host::hash_text(host::hash(contents)) + "-" + std::to_string(contents.size());
}

}  // namespace mazurka::cluster
