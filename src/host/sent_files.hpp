// Files that the program under test writes by telling the front process what is in them: it may not
// write any itself (authority.hpp).
//
// Each has a kind and no name: which files these are, the front process knows. Pieces come one by
// one over a line of their own; when the file is complete, the answer says whether it is there.
#pragma once

#include <memory>
#include <string>

#include "driver/new_file.hpp"
#include "host/protocol.hpp"

namespace mazurka::host {

/// The program's end of the line: what makes the files that the request names. Without a line they
/// are made where they belong.
[[nodiscard]] MakeFile files_sent_over(int line, const Request& request);

/// The front process's end.
class ReceivedFiles {
 public:
  explicit ReceivedFiles(const Request& request) : request_(request) {}

  /// Something has come, or the program has ended. False: nothing more will come.
  [[nodiscard]] bool receive(int line);

 private:
  [[nodiscard]] std::unique_ptr<NewFile> make(bool log) const;

  const Request& request_;
  std::unique_ptr<NewFile> exploration_;  // while it is not complete
  std::unique_ptr<NewFile> log_;
};

}  // namespace mazurka::host
