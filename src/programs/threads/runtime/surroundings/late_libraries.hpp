// Libraries that the program loads while it runs.
//
// They stay loaded, since to load one takes as long as many executions. Their static data is put
// back to what it was when they had been loaded, and looked at for data races as all other is. But
// what they do when they are loaded is done only once, and not under the scheduler: if that is more
// than a compiler adds by itself, not all there is was explored.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::threads {

class LateLibraries {
 public:
  /// Notes what there is.
  LateLibraries();
  /// The name of one that has come since, and has functions to be called when it is loaded; empty:
  /// there is none.
  [[nodiscard]] std::string with_constructors() const;

 private:
  std::vector<std::uintptr_t> known_;
};

}  // namespace mazurka::threads
