// Two tellers enter deposits into one ledger that they both have a pointer to. CAF runs them on
// different threads, and no message orders what they do: a data race. With -DREPAIRED the ledger
// belongs to an actor, and the tellers send to it.
//
//   mazurka check ledger.cpp
//   mazurka check ledger.cpp -DREPAIRED
#include <caf/all.hpp>
#include <vector>

using namespace caf;

using deposit_atom_t = atom_constant<atom("deposit")>;

struct teller_state {
  const char* name = "teller";
};

#ifdef REPAIRED

struct ledger_state {
  std::vector<int> entries;
  const char* name = "ledger";
};

behavior ledger(stateful_actor<ledger_state>* self) {
  return {[=](deposit_atom_t, int amount) { self->state.entries.push_back(amount); }};
}

behavior teller(stateful_actor<teller_state>* self, const actor& books) {
  return {[=](deposit_atom_t, int amount) { self->send(books, deposit_atom_t::value, amount); }};
}

void caf_main(actor_system& system) {
  const auto books = system.spawn(ledger);
  anon_send(system.spawn(teller, books), deposit_atom_t::value, 100);
  anon_send(system.spawn(teller, books), deposit_atom_t::value, 50);
}

#else

behavior teller(stateful_actor<teller_state>*, std::vector<int>* entries) {
  return {[=](deposit_atom_t, int amount) { entries->push_back(amount); }};
}

void caf_main(actor_system& system) {
  std::vector<int> entries;
  anon_send(system.spawn(teller, &entries), deposit_atom_t::value, 100);
  anon_send(system.spawn(teller, &entries), deposit_atom_t::value, 50);
  system.await_all_actors_done();
}

#endif

CAF_MAIN()
