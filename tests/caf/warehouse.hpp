// A warehouse with a fixture for its tests, in the style of CAF's deterministic one: `sys`, `self`
// and run(), and actors that are spawned anew for every test. GoogleTest and Catch2 have tests of
// it.
//
// Customers order at a desk. The desk asks the stock (a typed actor) for the item, and tells the
// customer what came of it; an auditor monitors the desk, and hears of every sale. A careless desk
// looks first and takes afterwards: somebody else may have been there in between.
#pragma once

#include <string>
#include <vector>

#include "mazurka/caf.hpp"

namespace mazurka::caf_test {

using LookAtom = ::caf::atom_constant<::caf::atom("look")>;
using TakeAtom = ::caf::atom_constant<::caf::atom("take")>;
using OrderAtom = ::caf::atom_constant<::caf::atom("order")>;
using SoldAtom = ::caf::atom_constant<::caf::atom("sold")>;
using CloseAtom = ::caf::atom_constant<::caf::atom("close")>;

using Stock = ::caf::typed_actor<::caf::replies_to<LookAtom>::with<int>,
                                 ::caf::replies_to<TakeAtom>::with<bool>>;

struct StockState {
  int items = 0;
  const char* name = "stock";
};

inline Stock::behavior_type stock(Stock::stateful_pointer<StockState> self, int items) {
  self->state.items = items;
  return {[=](LookAtom) { return self->state.items; },
          [=](TakeAtom) {
            const bool there = self->state.items > 0;
            if (there) --self->state.items;
            return there;
          }};
}

struct DeskState {
  int open = 0;  // orders that are not settled yet
  bool closing = false;
  const char* name = "desk";
};
using Desk = ::caf::stateful_actor<DeskState>;

inline void settle(Desk* self, ::caf::response_promise promise, const ::caf::actor& auditor,
                   bool sold) {
  if (sold) self->send(auditor, SoldAtom::value);
  promise.deliver(sold);
  if (--self->state.open == 0 && self->state.closing) self->quit();
}

/// A careful one takes what it sells. A careless one believes what it saw.
inline ::caf::behavior desk(Desk* self, const Stock& items, const ::caf::actor& auditor,
                            bool careful) {
  return {[=](OrderAtom) -> ::caf::result<bool> {
            ++self->state.open;
            const auto promise = self->make_response_promise();
            if (careful) {
              self->request(items, ::caf::infinite, TakeAtom::value).then([=](bool there) {
                settle(self, promise, auditor, there);
              });
            } else {
              self->request(items, ::caf::infinite, LookAtom::value).then([=](int there) {
                if (there > 0) self->send(items, TakeAtom::value);
                settle(self, promise, auditor, there > 0);
              });
            }
            return ::caf::delegated<bool>();
          },
          [=](CloseAtom) {
            self->state.closing = true;
            if (self->state.open == 0) self->quit();
          },
          [](bool) {}};  // of what was taken without a request
}

struct Books {
  int sold = 0;
  bool desk_closed = false;
  std::vector<bool> answers;
};

inline ::caf::behavior auditor(::caf::event_based_actor* self, Books* books) {
  self->set_down_handler([=](const ::caf::down_msg&) {
    books->desk_closed = true;
    self->quit();
  });
  return {[=](SoldAtom) { ++books->sold; },
          [=](const ::caf::actor& desk_to_watch) { self->monitor(desk_to_watch); }};
}

inline ::caf::behavior customer(::caf::event_based_actor* self, const ::caf::actor& where,
                                Books* books) {
  self->request(where, ::caf::infinite, OrderAtom::value)
      .then([=](bool sold) { books->answers.push_back(sold); },
            [](const ::caf::error&) {});  // too late: it has closed
  return {[](int) {}};
}

class WarehouseFixture : public caf::Test {
 public:
  using Test::Test;

  Books books;

  void open(int items, int customers, bool careful) {
    const auto watching = sys.spawn(auditor, &books);
    desk_ = sys.spawn(desk, sys.spawn(stock, items), watching, careful);
    self->send(watching, desk_);
    for (int at = 0; at < customers; ++at) sys.spawn(customer, desk_, &books);
  }
  void close() { self->send(desk_, CloseAtom::value); }

  // --- the tests
  // ----------------------------------------------------------------------------------

  void sells_what_there_is() {
    open(1, 2, true);
    run();
    expect(books.answers.size() == 2, "everybody gets an answer");
    expect(books.sold == 1, "the item is sold once");
  }
  void sells_what_there_is_carelessly() {
    open(1, 2, false);
    run();
    expect(books.sold == 1, "the item is sold once");
  }
  void closes_when_all_is_settled() {
    open(2, 2, true);
    close();
    run();
    expect(books.desk_closed, "the auditor hears that the desk has closed");
    expect(books.sold == static_cast<int>(books.answers.size()), "who has ordered gets it");
  }
  void answers_the_test_itself() {
    open(1, 0, true);
    self->request(desk_, ::caf::infinite, OrderAtom::value)
        .receive([this](bool sold) { books.answers.push_back(sold); },
                 [](const ::caf::error&) { expect(false, "no error"); });
    expect(books.answers == std::vector<bool>{true}, "it is sold");
  }

 private:
  ::caf::actor desk_;
};

}  // namespace mazurka::caf_test
