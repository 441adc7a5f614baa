// Two philosophers and two forks. Each takes one fork and waits for the other: in one order of the
// messages both wait for ever. With -DREPAIRED both take the forks in the same order.
//
//   mazurka check dining.cpp
//   mazurka check dining.cpp -DREPAIRED
#include <caf/all.hpp>

using namespace caf;

using take_t = atom_constant<atom("take")>;
using taken_t = atom_constant<atom("taken")>;
using drop_t = atom_constant<atom("drop")>;

struct fork_state {
  const char* name = "fork";
};

behavior fork_actor(stateful_actor<fork_state>* self) {
  self->set_default_handler(skip);
  return {[=](take_t) {
    self->become(keep_behavior, [=](drop_t) { self->unbecome(); });
    return taken_t::value;
  }};
}

struct philosopher_state {
  const char* name = "philosopher";
};

behavior philosopher(stateful_actor<philosopher_state>* self, const actor& first,
                     const actor& second) {
  self->request(first, infinite, take_t::value).then([=](taken_t) {
    self->request(second, infinite, take_t::value).then([=](taken_t) {
      self->send(first, drop_t::value);
      self->send(second, drop_t::value);
    });
  });
  return {[](int) {}};
}

void caf_main(actor_system& system) {
  const auto left = system.spawn(fork_actor);
  const auto right = system.spawn(fork_actor);
  system.spawn(philosopher, left, right);
#ifdef REPAIRED
  system.spawn(philosopher, left, right);
#else
  system.spawn(philosopher, right, left);
#endif
}

CAF_MAIN()
