// Files that the program under test writes by telling the front process what is in them: it may not
// write any itself (authority.hpp).
//
// Each has a kind and no name: which files these are, the front process knows. Pieces come one by
// one over a line of their own; when the file is complete, the answer says whether it is there.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "driver/new_file.hpp"
#include "host/protocol.hpp"

namespace mazurka::host {

/// The program's end of the line: what makes the files that the request names. Without a line they
/// are made where they belong.
[[nodiscard]] MakeFile files_sent_over(int line, const Request& request);

/// Whether the program is to write any.
[[nodiscard]] bool sends_files(const Request& request);

/// Writes a certificate that says that the search did not come to its end: it is there if the
/// search does not live to write its own. Throws InputError if nothing can be written there.
void begin_certificate(const Request& request);

/// The front process's end.
class ReceivedFiles {
 public:
  explicit ReceivedFiles(const Request& request) : request_(request) {}

  /// Something has come, or the program has ended. False: nothing more will come.
  [[nodiscard]] bool receive(int line);

 private:
  const Request& request_;
  std::array<std::unique_ptr<NewFile>, 3> files_;  // by kind, while they are not complete
};

}  // namespace mazurka::host
