// A small shop: a cart asks the stock to reserve an item and the bank to charge the customer, both
// at once, and ships when both have answered. If the item is not there it cancels the payment.
//
// The bug: cancel and charge go to the bank as two messages, and nothing says which arrives first.
// Compile with -DFIXED for the repair: the cart asks for the money only once the item is reserved.
#include <mazurka/actors.hpp>

using mazurka::Context;
using mazurka::Ref;

struct Cart;

struct Stock {
  int items = 0;
  void reserve(Context& context, Ref<Cart> cart);
};

struct Bank {
  int charged = 0;
  void charge(Context& context, Ref<Cart> cart, int amount);
  void cancel(int amount) {
    if (charged >= amount) charged -= amount;  // nothing to cancel: nothing to do, or so it seems
  }
};

struct Cart {
  Ref<Stock> stock;
  Ref<Bank> bank;
  bool reserved = false;
  bool paid = false;
  bool shipped = false;
  bool refused = false;

  void buy(Context& context) {
    context.send<&Stock::reserve>(stock, context.self<Cart>());
#ifndef FIXED
    context.send<&Bank::charge>(bank, context.self<Cart>(), 30);
#endif
  }
  void reservation(Context& context, bool success) {
    if (!success) {
      refused = true;
#ifndef FIXED
      context.send<&Bank::cancel>(bank, 30);
#endif
      return;
    }
    reserved = true;
#ifdef FIXED
    context.send<&Bank::charge>(bank, context.self<Cart>(), 30);
#endif
    ship();
  }
  void payment() {
    paid = true;
    ship();
  }
  void ship() { shipped = reserved && paid; }
};

void Stock::reserve(Context& context, Ref<Cart> cart) {
  const bool success = items > 0;
  if (success) --items;
  context.send<&Cart::reservation>(cart, success);
}

void Bank::charge(Context& context, Ref<Cart> cart, int amount) {
  charged += amount;
  context.send<&Cart::payment>(cart);
}

void shop(mazurka::Setup& system) {
  const auto stock = system.spawn<Stock>(1);  // one item, two customers
  const auto bank = system.spawn<Bank>();
  const auto ann = system.spawn<Cart>(stock, bank);
  const auto bob = system.spawn<Cart>(stock, bank);
  system.name(ann, "Ann");
  system.name(bob, "Bob");
  system.send<&Cart::buy>(ann);
  system.send<&Cart::buy>(bob);
  system.finally("who is charged gets the item", [=](const mazurka::View& view) {
    const int shipped = static_cast<int>(view.count<Cart>([](const Cart& c) { return c.shipped; }));
    return view[bank].charged == 30 * shipped;
  });
}

int main() { return mazurka::run(shop); }
