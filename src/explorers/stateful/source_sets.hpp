// Which enabled actions are enough? Covering source sets by closure, and persistent sets.
//
// closure(s, b) reads rPIFS (first_set.hpp) backwards: a run that avoids the closure would have to
// bring in one of its actions, and whatever brings one in is in the closure. It starts with all
// that the processes of b could do next. For every action c in it that some participant could do
// now: if another participant cannot, all that this one could do on a way to c joins (one such
// participant is enough, because c needs every one of them); if all can, the same for each of
// them. Leaving out the second case because c is enabled anyway loses runs.
//
// Which actions are on a way to c depends on the participant's local state alone. They are worked
// out once, and for most actions c they are the same ones: a list of them has a number, and each is
// gone through once per closure.
//
// The persistent set is the coarser classic: all enabled actions of the processes that b's
// processes can ever have to do with.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "explorers/stateful/ahead.hpp"
#include "explorers/stateful/pair_closures.hpp"
#include "explorers/stateful/pairs.hpp"
#include "explorers/stateful/system.hpp"
#include "explorers/stateful/word_closures.hpp"

namespace mazurka::stateful {

class SourceSets {
 public:
  enum class Kind : std::uint8_t { closure, persistent };

  enum class Walk : std::uint8_t { over_groups, over_actions };

  /// A walk over groups (pair_closures.hpp) is for systems that it can do; the other is for all.
  /// With `pairs`, which must be in the state that is asked about, groups are words.
  explicit SourceSets(const System& system, Walk walk = Walk::over_groups,
                      const Pairs* pairs = nullptr);
  /// How many actions or groups have been looked at in all.
  [[nodiscard]] std::uint64_t work() const {
    return work_ + (pairs_ ? pairs_->work() : 0) + (words_ ? words_->work() : 0);
  }

  /// The set of `seed` within `wanted` (both enabled), given up when it has `limit` members:
  /// then false. In action order.
  bool around(const LocalState* locals, ActionId seed, Kind kind, std::span<const ActionId> wanted,
              std::size_t limit, std::vector<ActionId>& out);

  /// The smallest set over all seeds, the first of several; `wanted` itself if none is smaller.
  void smallest(const LocalState* locals, std::span<const ActionId> seeds, Kind kind,
                std::span<const ActionId> wanted, std::vector<ActionId>& out);

 private:
  static constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();
  struct Ways {  // out of a local state
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t others = unknown;  // out of the same local state
    std::uint32_t closure = 0;       // the latest that they have joined
  };

  void want(std::span<const ActionId> wanted);
  void next_closure();
  bool closure(const LocalState* locals, ActionId seed, std::size_t limit);
  void persistent(const LocalState* locals, ActionId seed, std::span<const ActionId> wanted,
                  std::vector<ActionId>& out);
  bool include(ActionId action, std::size_t limit);
  bool include_ways_to(const LocalState* locals, const System::Participant& who, std::size_t limit);
  std::uint32_t find_ways(const System::Participant& who, LocalState state);
  void lay_out_ways();
  void find_company();

  const System& system_;
  const Ahead ahead_;
  std::optional<WordClosures> words_;
  std::optional<PairClosures> pairs_;
  std::vector<Word> company_;             // per row: processes that it can still have to do with
  std::vector<std::size_t> first_way_;    // per row
  std::vector<std::uint32_t> ways_to_;    // per row and column: the number of the ways there
  std::vector<std::uint32_t> ways_from_;  // per row: the latest found
  std::vector<Ways> ways_;
  std::vector<ActionId> on_the_way_;
  std::uint32_t closures_ = 0;
  RoundSet wanted_;
  RoundSet members_;
  std::vector<ActionId> queue_;
  std::vector<ActionId> hits_;
  std::vector<ActionId> candidate_;
  std::vector<Word> region_;
  std::vector<Word> fresh_;  // processes of the region that have not been looked at
  std::uint64_t work_ = 0;
};

}  // namespace mazurka::stateful
