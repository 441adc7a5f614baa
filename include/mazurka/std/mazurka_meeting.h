// What the headers <latch> and <barrier> that lie beside this file call. Where the program is not
// run by the checker, these do nothing and say so; then the C++ library's own do the work.
#ifndef MAZURKA_STD_MAZURKA_MEETING_H_
#define MAZURKA_STD_MAZURKA_MEETING_H_

#include <cstddef>

enum MazurkaAnswer { mazurka_not_here, mazurka_no, mazurka_yes };

// How somebody arrives at a barrier.
enum MazurkaArrival : unsigned {
  mazurka_waits_at_once = 1,
  mazurka_drops = 2,           // is not expected in the phases to come
  mazurka_has_completion = 4,  // the barrier has a completion function
};

struct MazurkaArrived {
  MazurkaAnswer answer;
  unsigned long phase;
};

// A latch or a barrier is named by where it keeps the number that it was made with. A question that
// is answered by yes: whether the caller is to call the completion function, and then
// mazurka_barrier_finish.
extern "C" {
void mazurka_latch_set_up(const std::ptrdiff_t* latch) noexcept;
bool mazurka_latch_count_down(const std::ptrdiff_t* latch, std::ptrdiff_t times) noexcept;
bool mazurka_latch_wait(const std::ptrdiff_t* latch) noexcept;
MazurkaAnswer mazurka_latch_look(const std::ptrdiff_t* latch) noexcept;

void mazurka_barrier_set_up(const std::ptrdiff_t* barrier) noexcept;
void mazurka_barrier_destroy(const std::ptrdiff_t* barrier) noexcept;
MazurkaArrived mazurka_barrier_arrive(const std::ptrdiff_t* barrier, std::ptrdiff_t times,
                                      unsigned how) noexcept;
MazurkaAnswer mazurka_barrier_wait(const std::ptrdiff_t* barrier, unsigned long phase) noexcept;
void mazurka_barrier_finish(const std::ptrdiff_t* barrier) noexcept;
}

#endif  // MAZURKA_STD_MAZURKA_MEETING_H_
