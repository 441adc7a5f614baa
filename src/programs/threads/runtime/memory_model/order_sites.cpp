#include "programs/threads/runtime/memory_model/order_sites.hpp"

#include <algorithm>

#include "programs/threads/runtime/machine/call_site.hpp"

namespace mazurka::threads {

namespace {

/// Where the caller of the latest hook has its frame: there are the address of its caller's, and
/// behind that the address to which it returns.
std::uintptr_t frame_of_caller() {
#if defined(__aarch64__)
  return mazurka_call_site.saved[18];
#else
  return mazurka_call_site.saved[1];
#endif
}

}  // namespace

OrderSites::Stack OrderSites::callers() const {
  Stack stack{mazurka_call_site.code()};
  std::uintptr_t below = mazurka_call_site.stack() - sizeof(std::uintptr_t);
  std::uintptr_t frame = frame_of_caller();
  for (std::size_t at = 1; at < stack.size(); ++at) {
    const bool sound = frame >= below && frame % sizeof(std::uintptr_t) == 0 &&
                       in_own_stack(frame) && in_own_stack(frame + 2 * sizeof(std::uintptr_t) - 1);
    if (!sound) break;
    const auto* words = reinterpret_cast<const std::uintptr_t*>(frame);
    below = frame + 2 * sizeof(std::uintptr_t);
    frame = words[0];
    stack[at] = words[1];
  }
  return stack;
}

Orders OrderSites::look_up(AtomicKind kind, Orders orders) {
  const Stack stack = callers();
  if (request_.orders.collect) met_.insert({stack, kind, orders.order, orders.failure});
  if (request_.orders.strongest) {
    return {MemoryOrder::sequentially_consistent, MemoryOrder::sequentially_consistent};
  }
  for (const OrderChange& change : request_.orders.changes) {
    const bool here = change.kind == kind && change.stack.size() <= stack.size() &&
                      std::equal(change.stack.begin(), change.stack.end(), stack.begin());
    if (!here) continue;
    orders.order = stronger_of(orders.order, change.at_least.order);
    orders.failure = stronger_of(orders.failure, change.at_least.failure);
  }
  return orders;
}

std::vector<AtomicSite> OrderSites::met() const {
  std::vector<AtomicSite> sites;
  for (const Met& one : met_) {
    AtomicSite site{{}, one.kind, {one.order, one.failure}};
    for (const std::uint64_t address : one.stack) {
      if (address != 0) site.stack.push_back(address);
    }
    sites.push_back(std::move(site));
  }
  return sites;
}

}  // namespace mazurka::threads
