#include "driver/task_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <span>

#include "driver/file_bytes.hpp"

namespace mazurka {

int TaskLog::write(const std::string& file) const {
  std::string text;
  for (const Entry& entry : entries_) {
    text += std::to_string(entry.children) + " " + std::to_string(entry.nanoseconds) + "\n";
  }
  const int number = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (number < 0) return errno;
  const bool written = write_bytes(number, std::as_bytes(std::span<const char>(text)));
  const int failure = written ? 0 : errno;
  return close(number) == 0 || failure != 0 ? failure : errno;
}

}  // namespace mazurka
