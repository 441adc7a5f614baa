// The bank of tests/caf: each customer reads the balance and writes it back. With n customers there
// are (2n)! / 2^n orders.
#include <caf/all.hpp>

using namespace caf;

using get_t = atom_constant<atom("get")>;
using put_t = atom_constant<atom("put")>;

behavior account(stateful_actor<int>* self) {
  self->state = 0;
  return {[=](get_t) { return self->state; }, [=](put_t, int balance) { self->state = balance; }};
}

behavior customer(event_based_actor* self, const actor& bank) {
  self->request(bank, infinite, get_t::value).then([=](int balance) {
    self->send(bank, put_t::value, balance + 100);
  });
  return {[](int) {}};
}

void caf_main(actor_system& system) {
  const auto bank = system.spawn(account);
  for (int number = 0; number < CUSTOMERS; ++number) system.spawn(customer, bank);
}

CAF_MAIN()
