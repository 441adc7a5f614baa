// Dependence as data.
//
// A step's footprint is a list of accesses: an object, what kind of thing the object is, and the
// mode in which the step touches it. A front-end's Vocabulary says, per kind, which pairs of modes
// are dependent, and which modes are *guarded*: able to run only while the object has a suitable
// value (a mutex that is free, a semaphore above zero). Everything the explorers know of a program
// comes through this table; a pair that was never declared counts as dependent.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"

namespace mazurka {

inline constexpr std::size_t max_kinds = 24;
inline constexpr std::size_t max_modes = 16;

struct Access {
  ObjectId object{};
  std::uint8_t kind = 0;
  std::uint8_t mode = 0;
  std::uint16_t operand = 0;  // what a guard compares the object's value with, where it needs that
  friend bool operator==(const Access&, const Access&) = default;
};

using Footprint = std::span<const Access>;

/// Whether a guarded access with this operand could run while its object has this value.
using GuardPredicate = bool (*)(std::uint16_t operand, std::uint64_t value);

/// Which earlier accesses a guarded step must be tried before.
enum class GuardPartners : std::uint8_t {
  latest,  // those that no later one depends on; the others follow by induction
  every,   // all of them: the guard reads a value that comes and goes
};

class Vocabulary {
 public:
  struct Mode {
    std::string name;
    GuardPredicate guard = nullptr;
    GuardPartners partners = GuardPartners::latest;
    bool reads = true;      // the step learns the object's value
    bool writes = true;     // the step may change it
    bool keeps = false;     // its process remembers the value: another value is another state
    bool attempts = false;  // may turn out to have changed nothing (Step::announced)
    bool silent = false;    // does more than the values of its objects tell
    // Several of them leave the same value in any order, and that is all. Not for a kind that has
    // guards: what these look at may come and go with the order.
    bool adds_up = false;
    // What guards look at depends on how many such steps there were, not on which of them, nor on
    // their order (arrivals at a barrier).
    bool counted = false;
    // Its steps and others that move the value are independent, and each of them moves it by so
    // much, wherever it is (who shares a lock, and who stops sharing it: 1 and -1). Each of a
    // process that moves it down takes back one of that process that moved it up.
    std::int8_t moves = 0;
    std::uint8_t in_order = 0;  // the mode for techniques to which the order of these counts
  };

  /// A mode with the constant that the front-end has for it.
  struct KeyedMode {
    std::uint8_t key = 0;
    Mode mode;
  };

  /// Adds a kind of object and its modes; every pair of modes starts out dependent.
  /// Returns the kind's number. Throws std::length_error past max_kinds or max_modes.
  /// Requires: what modes say of each other makes sense (check_modes).
  std::uint8_t add_kind(std::string_view name, std::vector<Mode> modes);

  /// The same with the constants by which kind and modes are called elsewhere.
  /// Requires: they are the numbers that kind and modes get here.
  std::uint8_t add_kind(std::uint8_t key, std::string_view name, std::vector<KeyedMode> modes);

  /// Declares that two accesses in these modes to one object of this kind commute and neither
  /// enables nor disables the other. Symmetric.
  void declare_independent(std::uint8_t kind, std::uint8_t one, std::uint8_t other);

  /// Ensures: two accesses to one object say the same of its kind.
  [[nodiscard]] bool dependent(const Access& one, const Access& other) const {
    if (one.object != other.object) return false;
    MAZURKA_CHECK(one.kind == other.kind, "an object has one kind");
    return related(one.kind, one.mode, other.mode);
  }
  [[nodiscard]] bool related(std::uint8_t kind, std::uint8_t one, std::uint8_t other) const {
    return (related_[slot(kind, one)] >> other & 1U) != 0;
  }

  /// The modes that the access depends on, a bit for each.
  [[nodiscard]] std::uint16_t related_modes(const Access& access) const {
    return related_[slot(access.kind, access.mode)];
  }

  [[nodiscard]] bool guarded(const Access& access) const {
    return guards_[slot(access.kind, access.mode)] != nullptr;
  }
  /// Requires: the access is guarded.
  [[nodiscard]] bool allows(const Access& access, std::uint64_t value) const {
    MAZURKA_CHECK(guarded(access), "only a guarded access asks for a value");
    return guards_[slot(access.kind, access.mode)](access.operand, value);
  }
  [[nodiscard]] GuardPartners partners(const Access& access) const {
    return partners_[slot(access.kind, access.mode)];
  }

  [[nodiscard]] bool reads(const Access& access) const {
    return reads_[slot(access.kind, access.mode)];
  }
  [[nodiscard]] bool writes(const Access& access) const {
    return writes_[slot(access.kind, access.mode)];
  }

  [[nodiscard]] bool keeps(const Access& access) const {
    return keeps_[slot(access.kind, access.mode)];
  }

  [[nodiscard]] bool silent(const Access& access) const {
    return silent_[slot(access.kind, access.mode)];
  }
  [[nodiscard]] bool attempts(const Access& access) const {
    return attempts_[slot(access.kind, access.mode)];
  }
  /// Whether steps that both change an object of this kind may be independent (two that begin to
  /// wait, two arrivals). Then the value before a step is not what the step before it, of those
  /// that it depends on, has left; values tell less of the order than for other kinds. Modes that
  /// add up do not make a kind one of these.
  [[nodiscard]] bool mixes(std::uint8_t kind) const { return mixes_[kind]; }
  [[nodiscard]] bool adds_up(const Access& access) const {
    return adds_up_[slot(access.kind, access.mode)];
  }

  [[nodiscard]] bool counted(const Access& access) const {
    return counted_[slot(access.kind, access.mode)];
  }
  /// By how much a step moves the value of the object, in whatever order others do.
  [[nodiscard]] int moves(const Access& access) const {
    return moves_[slot(access.kind, access.mode)];
  }
  /// The same as a step whose order with others that move the value counts.
  [[nodiscard]] Access in_order(Access access) const {
    if (moves(access) != 0) access.mode = in_order_[slot(access.kind, access.mode)];
    return access;
  }
  /// Whether there are such modes.
  [[nodiscard]] bool is_moved(std::uint8_t kind) const { return is_moved_[kind]; }
  /// Whether objects of this kind can make a step wait.
  [[nodiscard]] bool has_guards(std::uint8_t kind) const { return has_guards_[kind]; }

  /// Whether `one` depends on all that `other`, an access to the same object, depends on.
  [[nodiscard]] bool covers(const Access& one, const Access& other) const {
    return (related_modes(other) & ~related_modes(one)) == 0;
  }
  /// A total mode is dependent with every mode of its kind, itself included (a write, a lock).
  [[nodiscard]] bool total(const Access& access) const {
    return total_[slot(access.kind, access.mode)];
  }
  /// Whether two modes of the kind that are independent of a third are independent of each other.
  /// Then the accesses to an object come in runs: those of a run are independent, and each run
  /// comes after all of the run before.
  [[nodiscard]] bool comes_in_runs(std::uint8_t kind) const { return comes_in_runs_[kind]; }

  [[nodiscard]] std::size_t kinds() const { return kinds_.size(); }
  [[nodiscard]] const std::string& kind_name(std::uint8_t kind) const {
    return kinds_.at(kind).name;
  }
  [[nodiscard]] const std::vector<Mode>& modes(std::uint8_t kind) const {
    return kinds_.at(kind).modes;
  }

 private:
  struct Kind {
    std::string name;
    std::vector<Mode> modes;
  };
  static constexpr std::size_t slot(std::uint8_t kind, std::uint8_t mode) {
    return kind * max_modes + mode;
  }
  void summarise(std::uint8_t kind);

  std::vector<Kind> kinds_;
  std::array<std::uint16_t, max_kinds * max_modes> related_{};  // bit per other mode
  std::array<GuardPredicate, max_kinds * max_modes> guards_{};
  std::array<GuardPartners, max_kinds * max_modes> partners_{};
  std::array<bool, max_kinds * max_modes> reads_{};
  std::array<bool, max_kinds * max_modes> writes_{};
  std::array<bool, max_kinds * max_modes> keeps_{};
  std::array<bool, max_kinds * max_modes> attempts_{};
  std::array<bool, max_kinds * max_modes> silent_{};
  std::array<bool, max_kinds * max_modes> adds_up_{};
  std::array<bool, max_kinds * max_modes> counted_{};
  std::array<std::int8_t, max_kinds * max_modes> moves_{};
  std::array<std::uint8_t, max_kinds * max_modes> in_order_{};
  std::array<bool, max_kinds> is_moved_{};
  std::array<bool, max_kinds> has_guards_{};
  std::array<bool, max_kinds> mixes_{};
  std::array<bool, max_kinds * max_modes> total_{};
  std::array<bool, max_kinds> comes_in_runs_{};
};

}  // namespace mazurka
