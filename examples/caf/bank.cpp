// Two customers read the balance and write it back with their deposit added. Between the two, the
// other may have written: one deposit is lost. With -DREPAIRED the account adds by itself.
//
//   mazurka check bank.cpp
//   mazurka check bank.cpp -DREPAIRED
#include <caf/all.hpp>
#include <cassert>

using namespace caf;

using get_atom_t = atom_constant<atom("get")>;
using put_atom_t = atom_constant<atom("put")>;
using add_atom_t = atom_constant<atom("add")>;

struct account_state {
  int balance = 0;
  int deposits = 0;
  const char* name = "account";
};

behavior account(stateful_actor<account_state>* self) {
  const auto deposited = [=] {
    if (++self->state.deposits == 2) assert(self->state.balance == 200);
  };
  return {[=](get_atom_t) { return self->state.balance; },
          [=](put_atom_t, int balance) {
            self->state.balance = balance;
            deposited();
          },
          [=](add_atom_t, int amount) {
            self->state.balance += amount;
            deposited();
          }};
}

struct customer_state {
  const char* name = "customer";
};

behavior customer(stateful_actor<customer_state>* self, const actor& bank) {
#ifdef REPAIRED
  self->send(bank, add_atom_t::value, 100);
#else
  self->request(bank, infinite, get_atom_t::value).then([=](int balance) {
    self->send(bank, put_atom_t::value, balance + 100);
  });
#endif
  return {[](int) {}};
}

void caf_main(actor_system& system) {
  const auto bank = system.spawn(account);
  system.spawn(customer, bank);
  system.spawn(customer, bank);
}

CAF_MAIN()
