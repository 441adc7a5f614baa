// Whether two machines can explore one program together.
//
// A task is a list of decisions: it means the same only where the program does the same. So workers
// have the same version of Mazurka, the same kind of processor, and the same libraries.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::cluster {

/// What of this machine and of Mazurka must be the same: "version": ..., one in each line.
/// `of_mpi`: to a program of MPI, which has a runtime of its own.
[[nodiscard]] std::string kinship(bool of_mpi);

/// Contents of the libraries that the program has loaded, one in each line.
class Libraries {
 public:
  [[nodiscard]] std::string of(const std::vector<host::RawModule>& modules);

 private:
  std::map<std::string, std::string> known_;  // by path
};

/// The first thing in which two such texts differ: "version: 0.1.0 there, 0.2.0 here"; empty: none.
[[nodiscard]] std::string difference(const std::string& there, const std::string& here);

/// A program's name on the server: by its contents.
[[nodiscard]] std::string binary_name(const std::string& contents);

}  // namespace mazurka::cluster
