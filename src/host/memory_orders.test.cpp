#include "host/memory_orders.hpp"

#include <gtest/gtest.h>

namespace mazurka::host {
namespace {

constexpr MemoryOrder all[] = {MemoryOrder::relaxed,         MemoryOrder::consume,
                               MemoryOrder::acquire,         MemoryOrder::release,
                               MemoryOrder::acquire_release, MemoryOrder::sequentially_consistent};

bool promises(MemoryOrder one, MemoryOrder other) {
  const bool strong = one == MemoryOrder::sequentially_consistent;
  return (strong || other != MemoryOrder::sequentially_consistent) &&
         (acquires(one) || !acquires(other)) && (releases(one) || !releases(other));
}

TEST(MemoryOrders, TheStrongerOfTwoPromisesWhatBothDo) {
  for (const MemoryOrder one : all) {
    EXPECT_EQ(stronger_of(one, one), one);
    for (const MemoryOrder other : all) {
      const MemoryOrder both = stronger_of(one, other);
      EXPECT_EQ(both, stronger_of(other, one));
      EXPECT_TRUE(promises(both, one) && promises(both, other));
      for (const MemoryOrder third : all) {
        if (promises(third, one) && promises(third, other)) {
          EXPECT_TRUE(promises(third, both)) << name_of(third) << " " << name_of(both);
        }
        EXPECT_EQ(stronger_of(both, third), stronger_of(one, stronger_of(other, third)));
      }
    }
  }
}

}  // namespace
}  // namespace mazurka::host
