#include "programs/threads/runtime/course.hpp"

#include "programs/threads/runtime/beginning.hpp"

namespace mazurka::threads {

void Course::begin(Threads& threads) const {
  begin_libraries(subject_.argc, subject_.argv, subject_.environment);
  threads.add_exit_handler({[](void*) { end_objects(); }});
  begin_executable(subject_.argc, subject_.argv, subject_.environment);
}

void Course::perform(Threads& threads) const {
  const int code = subject_.main(subject_.argc, subject_.argv, subject_.environment);
  threads.end_program(subject_.whole, code);
}

void Course::perform(Threads& threads, const RankImage& own) const {
  constexpr auto end = [](void* functions) { static_cast<ObjectFunctions*>(functions)->end(); };
  threads.add_exit_handler({end, const_cast<ObjectFunctions*>(&own.functions)});
  own.functions.begin(own.argc, own.argv, subject_.environment);
  threads.end_program(true, own.main(own.argc, own.argv, subject_.environment));
}

}  // namespace mazurka::threads
