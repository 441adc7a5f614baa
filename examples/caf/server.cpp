// A server that must be told its answer before it can give it. A ping that comes first meets no
// handler, and its sender gets an error in the place of a pong. With -DREPAIRED it is left in the
// mailbox until the server can handle it.
//
//   mazurka check server.cpp
//   mazurka check server.cpp -DREPAIRED
#include <caf/all.hpp>

using namespace caf;

using ping_t = atom_constant<atom("ping")>;
using answer_t = atom_constant<atom("answer")>;

struct server_state {
  const char* name = "server";
};

behavior server(stateful_actor<server_state>* self) {
#ifdef REPAIRED
  self->set_default_handler(skip);
#endif
  return {[=](answer_t, int answer) { self->become([=](ping_t) { return answer; }); }};
}

struct client_state {
  const char* name = "client";
};

behavior client(stateful_actor<client_state>* self, const actor& other) {
  self->request(other, infinite, ping_t::value).then([](int) {});
  return {[](int) {}};
}

void caf_main(actor_system& system) {
  const auto other = system.spawn(server);
  system.spawn(client, other);
  anon_send(other, answer_t::value, 42);
}

CAF_MAIN()
