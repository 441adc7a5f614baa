// Rounds of waiting loops that left something behind, but nothing that mattered.
//
// A round of a waiting loop that ends exactly where it began can be left out (runtime_spins.cpp).
// But unoptimised code leaves on the stack what it needs no more, optimised code may have another
// copy of the loop's body for the first round, and a loop that tries again may count how often:
// then nothing tells, at the end of the round, that it will not have mattered. Later it may: as
// soon as the process is in a state that it would be in without the round too. Then whatever it
// does from there on it does in the execution without the round as well, and this one is redundant.
//
// A process is deterministic. So its local history, that is, all that it was told and has made
// known, decides its local state, and what it would be in without the round need not be guessed: it
// is what an execution showed in which the process had the same history but for the round. The
// exploration collects the states that belong to histories. Whenever a process has gone round, it
// carries on next to its history the one without the round, and when an operation comes, the states
// that belong to both are compared, if the other is known; and if it becomes known later, then.
//
// A loop that tries so many times and then gives up is another matter: its rounds are what the
// program is about, and every trace of it counts. It shows when the process has gone round twice,
// was told the same both times, and then does something else than after the first time. Then no
// round of the program is spared.
//
// What is found that way is used in the next exploration of the same program, not in this one:
// whether a process is taken out must depend on nothing but its own history, not on what the
// exploration happens to have seen already. In a complete exploration the histories without the
// rounds have all been seen, so at most one more is needed. It need not be complete to begin anew:
// that is done now and then as soon as something was found.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.hpp"
#include "core/ids.hpp"
#include "programs/threads/runtime/cells.hpp"

namespace mazurka::threads {

/// What a process was told and has made known in this execution, as a number.
struct LocalHistory {
  struct Written {
    std::uintptr_t address = 0;
    std::size_t size = 0;
  };
  struct Shorter {
    std::uint64_t digest = 0;
    std::uint64_t once = 0;  // of one round of a loop; 0 if what is left out need not be one
  };
  static constexpr std::size_t max_shorter = 32;
  static constexpr std::size_t max_written = 4096;

  std::uint64_t digest = 1;
  std::vector<Shorter> shorter;  // the same without one of the rounds
  std::vector<Written> written;  // plain writes that have not been told yet

  /// `creator`: what the one that creates the process was told decides what the process is to do.
  void start(std::uint64_t creator, ProcessId process) {
    digest = fingerprint_of(creator, index(process)).low | 1U;
    shorter.clear();
    written.clear();
  }
  void tell(std::uint64_t value) {
    digest = fingerprint_of(digest, value).low | 1U;
    for (Shorter& one : shorter) one.digest = fingerprint_of(one.digest, value).low | 1U;
  }
  void leave_out_since(std::uint64_t history, bool loop) {
    const std::uint64_t once = loop ? digest : 0;
    for (Shorter& one : shorter) {
      if (one.digest != history) continue;
      if (loop) one.once = once;
      return;
    }
    if (shorter.size() < max_shorter) shorter.push_back({history, once});
  }
};

class SparedRounds {
 public:
  /// The process has come, with this history, to this state, and is about to do this. True: it is
  /// known that it would be in it without one of its rounds, too.
  [[nodiscard]] bool arrive(const LocalHistory& history, std::uint64_t what, std::uint64_t digest) {
    const std::uint64_t state = state_of(what, digest);
    learn(history.digest, state);
    for (const LocalHistory::Shorter& shorter : history.shorter) {
      const std::uint64_t pair = fingerprint_of(history.digest, shorter.digest).low | 1U;
      if (spared_.look(pair) != nullptr) return true;
      compare(shorter, state, pair);
    }
    return false;
  }

  /// Whether a process did something else because of a round of its loop.
  [[nodiscard]] bool rounds_count() const { return rounds_count_; }

  /// Whether something was found that an exploration begun anew could use.
  [[nodiscard]] bool found_more() const { return !fresh_.empty(); }
  void use_what_was_found() {
    for (const std::uint64_t pair : fresh_) spared_[pair] = true;
    fresh_.clear();
  }

  void save(ArchiveWriter& archive) const {
    std::vector<std::uint64_t> histories;
    states_.for_each([&](std::uint64_t history, std::uint64_t state) {
      histories.push_back(history);
      histories.push_back(state);
    });
    std::vector<std::uint64_t> pairs;
    spared_.for_each([&](std::uint64_t pair, bool) { pairs.push_back(pair); });
    std::vector<std::uint64_t> open;
    questions_.for_each([&](std::uint64_t history, std::uint32_t first) {
      for (std::uint32_t at = first; at != 0; at = asked_[at - 1].next) {
        const Question& one = asked_[at - 1];
        open.insert(open.end(), {history, one.state, one.pair});
      }
    });
    archive(histories, pairs, fresh_, open);
  }
  void load(ArchiveReader& archive) {
    std::vector<std::uint64_t> histories;
    std::vector<std::uint64_t> pairs;
    std::vector<std::uint64_t> open;
    archive(histories, pairs, fresh_, open);
    if (histories.size() % 2 != 0 || open.size() % 3 != 0) {
      throw ArchiveError("the histories of processes are incomplete");
    }
    for (std::size_t at = 0; at < histories.size(); at += 2) {
      states_[histories[at] | 1U] = histories[at + 1];
      ++known_;
    }
    for (const std::uint64_t pair : pairs) spared_[pair | 1U] = true;
    for (std::size_t at = 0; at < open.size(); at += 3) {
      ask(open[at] | 1U, open[at + 1], open[at + 2]);
    }
  }

 private:
  static constexpr std::uint64_t ambiguous = 2;  // several belong to it: it does not tell enough
  static constexpr std::size_t most = std::size_t{1} << 20;  // histories and questions to remember

  // What it is about to do is in the highest bits.
  static constexpr unsigned state_bits = 48;
  static std::uint64_t state_of(std::uint64_t what, std::uint64_t digest) {
    const std::uint64_t action = fingerprint_of(what, 0).low >> state_bits << state_bits;
    return action | digest >> (64U - state_bits) | 1U;
  }
  static bool same_action(std::uint64_t one, std::uint64_t other) {
    return one >> state_bits == other >> state_bits;
  }

  void learn(std::uint64_t history, std::uint64_t state) {
    if (known_ >= most) return;
    std::uint64_t& known = states_[history];
    if (known == state) return;
    if (known != 0) {
      known = ambiguous;
      return;
    }
    ++known_;
    known = state;
    const std::uint32_t* question = questions_.look(history);
    if (question == nullptr) return;
    for (std::uint32_t at = *question; at != 0; at = asked_[at - 1].next) {
      if (asked_[at - 1].state == state) find(asked_[at - 1].pair);
    }
  }

  // The history with one round was that of an operation just now: it is known.
  void compare(const LocalHistory::Shorter& shorter, std::uint64_t state, std::uint64_t pair) {
    const std::uint64_t* known = states_.look(shorter.digest);
    if (known == nullptr) {
      ask(shorter.digest, state, pair);
    } else if (*known == state) {
      find(pair);
    } else if (*known != ambiguous && shorter.digest == shorter.once &&
               !same_action(*known, state)) {
      rounds_count_ = true;
    }
  }

  void ask(std::uint64_t history, std::uint64_t state, std::uint64_t pair) {
    if (asked_.size() >= most) return;
    std::uint32_t& first = questions_[history];
    for (std::uint32_t at = first; at != 0; at = asked_[at - 1].next) {
      if (asked_[at - 1].pair == pair) return;
    }
    asked_.push_back({state, pair, first});
    first = static_cast<std::uint32_t>(asked_.size());
  }

  void find(std::uint64_t pair) {
    if (found_[pair]) return;
    found_[pair] = true;
    fresh_.push_back(pair);
  }

  struct Question {
    std::uint64_t state;
    std::uint64_t pair;
    std::uint32_t next;  // + 1 of another about the same history, or 0
  };
  AddressMap<std::uint64_t> states_;  // by history
  std::size_t known_ = 0;
  AddressMap<std::uint32_t> questions_;  // by history: + 1 of the latest
  std::vector<Question> asked_;
  AddressMap<bool> spared_;  // pairs of histories that lead to the same state: in use
  AddressMap<bool> found_;   // ... and in this exploration
  std::vector<std::uint64_t> fresh_;
  bool rounds_count_ = false;
};

}  // namespace mazurka::threads
