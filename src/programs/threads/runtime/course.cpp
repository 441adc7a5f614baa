#include "programs/threads/runtime/course.hpp"

#include <cstring>

#include "programs/threads/runtime/beginning.hpp"

namespace mazurka::threads {

std::array<std::span<std::byte>, 2> Course::words() const {
  const auto count = static_cast<std::size_t>(subject_.argc);
  const std::span<char*> all(subject_.argv, count);
  if (all.empty()) return {};
  // One behind the other, as the system has put them there.
  char* const last = all.back();
  return {std::as_writable_bytes(all),
          std::as_writable_bytes(std::span(all.front(), last + std::strlen(last) + 1))};
}

void Course::begin(Threads& threads) const {
  begin_libraries(subject_.argc, subject_.argv, subject_.environment);
  threads.add_exit_handler({[](void*) { end_objects(); }});
  begin_executable(subject_.argc, subject_.argv, subject_.environment);
}

void Course::perform(Threads& threads) const {
  const int code = subject_.main(subject_.argc, subject_.argv, subject_.environment);
  threads.end_program(true, code);
}

void Course::perform(Threads& threads, const RankImage& own) const {
  constexpr auto end = [](void* functions) { static_cast<ObjectFunctions*>(functions)->end(); };
  threads.add_exit_handler({end, const_cast<ObjectFunctions*>(&own.functions)});
  own.functions.begin(own.argc, own.argv, subject_.environment);
  threads.end_program(true, own.main(own.argc, own.argv, subject_.environment));
}

}  // namespace mazurka::threads
