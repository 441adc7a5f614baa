// Latches and barriers of C++, as our headers of these names call them (include/mazurka/std).
#include <optional>

#include "mazurka/std/mazurka_meeting.h"

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"

using mazurka::threads::runtime;
using mazurka::threads::scheduled;

MAZURKA_FAR_HOOK(void, mazurka_latch_set_up, const std::ptrdiff_t* latch) {
  if (!scheduled()) return;
  runtime->races.own_primitive(latch, mazurka_caller);
  runtime->latches.set_up(latch);
}
MAZURKA_FAR_HOOK(bool, mazurka_latch_count_down, const std::ptrdiff_t* latch,
                 std::ptrdiff_t times) {
  return scheduled() && runtime->latches.count_down(latch, times);
}
MAZURKA_FAR_HOOK(bool, mazurka_latch_wait, const std::ptrdiff_t* latch) {
  return scheduled() && runtime->latches.wait(latch);
}
MAZURKA_SITE_HOOK(MazurkaAnswer, mazurka_latch_look, const std::ptrdiff_t* latch) {
  if (!scheduled()) return mazurka_not_here;
  const std::optional<bool> open = runtime->latches.look(latch);
  return !open ? mazurka_not_here : *open ? mazurka_yes : mazurka_no;
}

MAZURKA_FAR_HOOK(void, mazurka_barrier_set_up, const std::ptrdiff_t* barrier) {
  if (!scheduled()) return;
  runtime->races.own_primitive(barrier, mazurka_caller);
  runtime->phased_barriers.set_up(barrier);
}
MAZURKA_FAR_HOOK(void, mazurka_barrier_destroy, const std::ptrdiff_t* barrier) {
  if (!scheduled()) return;
  runtime->phased_barriers.destroy(barrier);
  runtime->races.own_primitive(barrier, mazurka_caller);
}
MAZURKA_FAR_HOOK(MazurkaArrived, mazurka_barrier_arrive, const std::ptrdiff_t* barrier,
                 std::ptrdiff_t times, unsigned how) {
  if (!scheduled()) return {mazurka_not_here, 0};
  const auto arrived =
      runtime->phased_barriers.arrive(barrier, {.times = static_cast<std::uint64_t>(times),
                                                .waits = (how & mazurka_waits_at_once) != 0,
                                                .drops = (how & mazurka_drops) != 0,
                                                .completes = (how & mazurka_has_completion) != 0});
  return {arrived.finishes ? mazurka_yes : mazurka_no, arrived.phase};
}
MAZURKA_FAR_HOOK(MazurkaAnswer, mazurka_barrier_wait, const std::ptrdiff_t* barrier,
                 unsigned long phase) {
  if (!scheduled()) return mazurka_not_here;
  return runtime->phased_barriers.wait(barrier, phase) ? mazurka_yes : mazurka_no;
}
MAZURKA_FAR_HOOK(void, mazurka_barrier_finish, const std::ptrdiff_t* barrier) {
  if (scheduled()) runtime->phased_barriers.finish(barrier);
}
