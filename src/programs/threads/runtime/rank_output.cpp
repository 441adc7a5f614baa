#include "programs/threads/runtime/rank_output.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <string>

#include "programs/threads/runtime/hooks/hooks.hpp"

namespace mazurka::threads {

namespace {

struct RankStream {
  int descriptor = -1;
  std::FILE* former = nullptr;
  std::FILE* stream = nullptr;
  bool line_begins = true;
};
RankStream output;
RankStream errors;

ssize_t pass_on(void* cookie, const char* text, std::size_t size) {
  const EngineScope scope;
  auto& to = *static_cast<RankStream*>(cookie);
  std::string passed;
  for (std::size_t at = 0; at < size; ++at) {
    if (to.line_begins && runtime->current().rank >= 0) {
      passed += "[rank " + std::to_string(runtime->current().rank) + "] ";
    }
    passed += text[at];
    to.line_begins = text[at] == '\n';
  }
  (void)native().syscall(SYS_write, to.descriptor, passed.data(), passed.size());
  return static_cast<ssize_t>(size);
}

void take_over(RankStream& one, std::FILE*& standard, int descriptor) {
  one.descriptor = descriptor;
  one.former = standard;
  one.stream = fopencookie(&one, "w", {nullptr, pass_on, nullptr, nullptr});
  if (one.stream == nullptr) return;
  setvbuf(one.stream, nullptr, _IONBF, 0);
  standard = one.stream;
}

}  // namespace

void tell_output_of_ranks_apart() {
  take_over(output, stdout, STDOUT_FILENO);
  take_over(errors, stderr, STDERR_FILENO);
}

std::FILE* shown(std::FILE* stream) {
  for (const RankStream* one : {&output, &errors}) {
    if (one->stream != nullptr && stream == one->former) return one->stream;
  }
  return stream;
}

}  // namespace mazurka::threads
