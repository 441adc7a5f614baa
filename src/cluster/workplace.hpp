// The programs that a worker explores: fetched from the server once, kept in a folder of our own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cluster/store.hpp"
#include "cluster/worker.hpp"
#include "host/slice.hpp"

namespace mazurka::cluster {

/// What a search is to a worker.
struct Assignment {
  std::string id;
  host::Launch launch;    // of the whole
  std::string libraries;  // that the program must have loaded
  std::string shown;      // the program's name
};

/// This machine can not take part in a search; what() says why.
class Unfit : public host::InputError {
 public:
  using InputError::InputError;
};

class Workplace {
 public:
  explicit Workplace(const WorkOptions& options) : options_(options) {}

  /// Null: the search is gone, or its program. Throws Unfit.
  [[nodiscard]] std::shared_ptr<const Assignment> assignment(Store& store, const std::string& id);
  /// A file that nobody else has.
  [[nodiscard]] std::filesystem::path new_file();

 private:
  /// Empty: the server does not have it.
  [[nodiscard]] std::filesystem::path fetched(Store& store, const std::string& name,
                                              const std::string& shown);

  const WorkOptions& options_;
  std::mutex mutex_;
  host::SliceFolder folder_;
  std::map<std::string, std::shared_ptr<const Assignment>> known_;
  std::uint64_t files_ = 0;
};

}  // namespace mazurka::cluster
