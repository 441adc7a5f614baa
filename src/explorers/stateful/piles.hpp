// What is open, in a pile per thread.
//
// A thread takes the latest of its own, which keeps the order of a search in depth, and if it has
// none the oldest of another's: the one that most may come of. Each pile has a lock; its owner
// seldom waits for it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/check.hpp"

namespace mazurka::stateful {

template <typename Item>
class Piles {
 public:
  explicit Piles(unsigned threads) {
    for (unsigned at = 0; at < threads; ++at) piles_.push_back(std::make_unique<Pile>());
  }

  void put(unsigned thread, Item item) {
    MAZURKA_CHECK(thread < piles_.size() && !all_done(), "nothing is put when all is done");
    open_.fetch_add(1, std::memory_order_relaxed);
    Pile& pile = *piles_[thread];
    const std::lock_guard guard(pile.mutex);
    pile.items.push_back(std::move(item));
  }

  /// Whoever has taken one says done() when all that comes of it has been put; so does whoever puts
  /// the first.
  [[nodiscard]] std::optional<Item> take(unsigned thread) {
    {
      Pile& own = *piles_[thread];
      const std::lock_guard guard(own.mutex);
      if (!own.items.empty()) {
        std::optional<Item> latest(std::move(own.items.back()));
        own.items.pop_back();
        return latest;
      }
    }
    for (std::size_t step = 1; step < piles_.size(); ++step) {
      Pile& other = *piles_[(thread + step) % piles_.size()];
      const std::lock_guard guard(other.mutex);
      if (other.items.empty()) continue;
      std::optional<Item> oldest(std::move(other.items.front()));
      other.items.pop_front();
      return oldest;
    }
    return std::nullopt;
  }
  void done() {
    const std::uint64_t before = open_.fetch_sub(1, std::memory_order_release);
    MAZURKA_CHECK(before > 0, "what was put is done with once");
  }

  /// Nothing is open, and nobody has anything of which more may come.
  [[nodiscard]] bool all_done() const { return open_.load(std::memory_order_acquire) == 0; }

 private:
  struct alignas(64) Pile {
    std::mutex mutex;
    std::deque<Item> items;
  };
  std::vector<std::unique_ptr<Pile>> piles_;
  // Items in piles, those taken that are not done, and one for the beginning.
  std::atomic<std::uint64_t> open_{1};
};

}  // namespace mazurka::stateful
