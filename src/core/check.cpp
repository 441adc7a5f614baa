#include "core/check.hpp"

#include <unistd.h>

#include <atomic>
#include <string_view>

namespace mazurka {

namespace {

std::atomic<FailedCheckHandler> handler_of_process{nullptr};

/// Adds texts to a buffer without allocating; what does not fit is left out.
class Writer {
 public:
  Writer(char* text, std::size_t size) : text_(text), room_(size) {}

  void add(std::string_view part) {
    for (const char one : part) {
      if (used_ + 1 < room_) text_[used_++] = one;
    }
    text_[used_] = '\0';
  }
  void add(int number) {
    char digits[16];
    std::size_t first = sizeof digits;
    for (unsigned rest = number < 0 ? 0U : static_cast<unsigned>(number);;) {
      digits[--first] = static_cast<char>('0' + rest % 10);
      rest /= 10;
      if (rest == 0) break;
    }
    add(std::string_view(digits + first, sizeof digits - first));
  }

 private:
  char* text_;
  std::size_t room_;
  std::size_t used_ = 0;
};

/// The part of a path that begins with the sources' folder: where they were built does not matter.
std::string_view below_sources(std::string_view file) {
  const std::size_t at = file.rfind("/src/");
  return at == std::string_view::npos ? file : file.substr(at + 1);
}

void write_to_standard_error(const char* text) {
  for (const std::string_view part :
       {std::string_view("mazurka: error: "), std::string_view(text), std::string_view("\n")}) {
    if (write(STDERR_FILENO, part.data(), part.size()) < 0) return;  // nobody can be shown it
  }
}

}  // namespace

void on_failed_check(FailedCheckHandler handler) { handler_of_process = handler; }

void write_text_of(const FailedCheck& failed, char* text, std::size_t size) {
  Writer writer(text, size);
  writer.add("internal error: `");
  writer.add(failed.condition);
  writer.add("` does not hold (");
  writer.add(below_sources(failed.file));
  writer.add(":");
  writer.add(failed.line);
  writer.add(", ");
  writer.add(failed.function);
  writer.add(")");
  if (failed.rule[0] != '\0') writer.add(": ");
  writer.add(failed.rule);
  writer.add(
      "\n  this is a defect of Mazurka; nothing is concluded about the program. Please report it "
      "with "
      "this message, the command line, the output of `mazurka --version` and, if possible, the "
      "program");
}

void check_failed(const FailedCheck& failed) {
  char text[failed_check_text_size];
  write_text_of(failed, text, sizeof text);
  const FailedCheckHandler chosen = handler_of_process.load();
  if (chosen == nullptr) {
    write_to_standard_error(text);
  } else {
    chosen(text);
  }
  _exit(exit_failed_check);
}

}  // namespace mazurka
