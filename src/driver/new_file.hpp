// A file that takes the place of another one when all of it is there.
//
// A process that is killed while it writes leaves the previous one. Whoever explores need not be
// able to write files itself: it may hand the pieces to somebody who is.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace mazurka {

class NewFile {
 public:
  NewFile() = default;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  virtual ~NewFile() = default;

  virtual void write(std::span<const std::byte> bytes) = 0;
  /// From now on it has the name. 0, or errno of what went wrong first: then the previous one has.
  [[nodiscard]] virtual int end() = 0;
};

/// Only one process at a time may do so: whoever starts that one holds a lock
/// (host/save_place.hpp).
[[nodiscard]] std::unique_ptr<NewFile> new_file(const std::string& name);

using MakeFile = std::function<std::unique_ptr<NewFile>(const std::string& name)>;

}  // namespace mazurka
