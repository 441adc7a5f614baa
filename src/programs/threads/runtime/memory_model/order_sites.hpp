// The places of the program that name a memory order: which there are, and which of them have
// another order than the program says, because the front process wants to see what comes of it
// (host/memory_orders.hpp).
//
// A place is where the operation was called. Where std::atomic is not inlined that is a function of
// the library which several places call, so a few of the callers belong to it. They are found by
// frame pointers, which programs under test are compiled with: unwinding would take too long.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "host/memory_orders.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {
using namespace host;

class OrderSites : public Part {
 public:
  explicit OrderSites(Scheduler& scheduler) : Part(scheduler) {}

  /// Of the operation that the program calls now, which says that it has these.
  [[nodiscard]] Orders orders_here(AtomicKind kind, Orders orders) {
    return request_.orders.empty() || alone() ? orders : look_up(kind, orders);
  }
  /// Those that were met while several threads were there.
  [[nodiscard]] std::vector<AtomicSite> met() const;

 private:
  using Stack = std::array<std::uint64_t, AtomicSite::most_frames>;  // 0: there is no more
  [[nodiscard]] Orders look_up(AtomicKind kind, Orders orders);
  [[nodiscard]] Stack callers() const;

  struct Met {
    Stack stack{};
    AtomicKind kind{};
    MemoryOrder order{};
    MemoryOrder failure{};
    // NOLINTNEXTLINE(modernize-use-nullptr): a mistake about what this is made of
    friend auto operator<=>(const Met&, const Met&) = default;
  };
  std::set<Met> met_;
};

}  // namespace mazurka::threads
