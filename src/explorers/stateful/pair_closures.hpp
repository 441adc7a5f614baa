// Closures (source_sets.hpp) of systems whose actions have at most two participants, in larger
// steps.
//
// Idea. What joins a closure joins in groups: all that a process could do next on its way to some
// action. What a group brings in depends on its own local state, which it belongs to, and on that
// of each partner, nothing else. So for a group and a partner's local state it is worked out once:
// which of the actions are possible right now, and which groups of the two are needed for the
// others. A closure is then a walk over groups, a look-up per partner, instead of one over actions.
//
// The walk over actions stays for systems with more participants; a test compares the two.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "explorers/stateful/ahead.hpp"
#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

class PairClosures {
 public:
  PairClosures(const System& system, const Ahead& ahead);

  /// The actions of the closure of `seed` that are wanted (and possible), in any order. False, and
  /// not all of them, if there are `limit`.
  bool closure(const LocalState* locals, ActionId seed, const RoundSet& wanted, std::size_t limit,
               std::vector<ActionId>& hits);
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  using GroupId = std::uint32_t;
  static constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();

  struct Partner {
    std::uint32_t process = 0;
    std::uint32_t first_link = 0;  // by its local state, modulo 2^32
  };
  struct Group {
    std::uint32_t row = 0;  // the local state that its actions lead out of
    std::uint32_t first_action = 0;
    std::uint32_t last_action = 0;
    std::uint32_t first_partner = 0;
    std::uint32_t last_partner = 0;
    GroupId other = unknown;  // another one of the same row
    bool prepared = false;
  };
  /// What a group brings in if the partner is in a certain local state.
  struct Link {
    std::uint32_t first_action = unknown;  // possible right now
    std::uint32_t last_action = 0;
    std::uint32_t first_group = 0;
    std::uint32_t last_group = 0;
  };

  [[nodiscard]] GroupId all_of(std::uint32_t process, LocalState state);
  [[nodiscard]] GroupId ways_to(const System::Participant& who, LocalState state);
  [[nodiscard]] GroupId group_of(std::size_t row, std::vector<ActionId> actions);
  void prepare(GroupId group);
  void fill(std::uint32_t link, GroupId group, std::uint32_t partner, LocalState state);
  void join(GroupId group);
  [[nodiscard]] std::uint32_t process_of(std::size_t row) const { return process_of_[row]; }

  const System& system_;
  const Ahead& ahead_;
  std::vector<std::uint32_t> process_of_;  // per row
  // By row and column, as far as they were asked for: there may be millions.
  std::unordered_map<std::uint64_t, GroupId> ways_to_;
  std::vector<GroupId> all_of_;     // per row
  std::vector<GroupId> groups_of_;  // per row: the latest
  std::vector<Group> groups_;
  std::vector<ActionId> actions_;  // of groups
  std::vector<Partner> partners_;  // of groups
  std::vector<Link> links_;
  std::vector<ActionId> possible_;  // of links
  std::vector<GroupId> needed_;     // of links

  std::vector<std::uint32_t> joined_;  // per group: the latest closure that it is in
  std::uint32_t closures_ = 0;
  std::vector<GroupId> open_;
  RoundSet members_;
  std::uint64_t work_ = 0;
};

}  // namespace mazurka::stateful
