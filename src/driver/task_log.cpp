#include "driver/task_log.hpp"

#include <span>

namespace mazurka {

int TaskLog::write(NewFile& file) const {
  std::string text;
  for (const Entry& entry : entries_) {
    text += std::to_string(entry.children) + " " + std::to_string(entry.nanoseconds) + "\n";
  }
  file.write(std::as_bytes(std::span<const char>(text)));
  return file.end();
}

}  // namespace mazurka
