// Which accesses in rounds of waiting loops other processes may race with.
//
// A round that is left out (loops/spin_recognition.cpp) may take a data race with it: one between
// an access of the round and what another process does after the loop has been left. No execution
// that is explored has both. But each of the two is in some execution of the same search: the round
// is performed before its process is taken out, and without the round everything else happens just
// as well. So two things are written down during a search: who has accessed which bytes, and which
// accesses were in rounds that were left out. If two of these could be a race, accesses to these
// bytes from that place in the code are contested from then on, and the search begins anew; a round
// with a contested access is not left out at once.
//
// What can be no race does not count: two reads, two atomic accesses, accesses in order by a mutex
// that both processes hold, and those before the other process began or after the end of it, by all
// that the one knows of the other.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.hpp"
#include "programs/threads/runtime/state/cells.hpp"

namespace mazurka::threads {

class Contention {
 public:
  /// An access of a process.
  struct Use {
    std::uintptr_t address = 0;
    std::uint64_t size = 0;
    std::uint64_t code = 0;     // where it was made; 0: not known
    std::uint64_t mutexes = 0;  // that were held, mixed; 0: none
    std::uint16_t process = 0;
    std::int32_t rank = -1;
    bool writes = false;
    bool atomic = false;
    bool granted = false;  // in a round that was not left out because of it, and later ones
    friend bool operator==(const Use&, const Use&) = default;
  };

  /// A process has made this access, while these others (a bit for each) might have been at it.
  /// True: something more is contested.
  [[nodiscard]] bool make(const Use& use, std::uint64_t others);
  /// Nothing orders what `other` has done so far with what the process will do, which begins.
  [[nodiscard]] bool begin_late(std::uint16_t process, std::uint16_t other);
  /// It was in a round that was left out.
  [[nodiscard]] bool leave_out(const Use& use);
  /// Whether that would tell something new.
  [[nodiscard]] bool knows_left_out(const Use& use) const;
  [[nodiscard]] bool is_contested(const Use& use) const {
    return !contested_.empty() && contested_.contains(key_of(use));
  }
  [[nodiscard]] bool has_left_out() const { return !all_left_out_.empty(); }
  /// After add_all(): whether more is contested.
  [[nodiscard]] bool compare();
  [[nodiscard]] bool is_anything_contested() const { return !contested_.empty(); }

  [[nodiscard]] static std::uint64_t bit_of(std::uint16_t process) {
    return std::uint64_t{1} << (process < 63 ? process : 63);
  }
  [[nodiscard]] std::vector<std::uint64_t> all() const;
  void add_all(const std::vector<std::uint64_t>& words);
  friend bool operator==(const Contention& one, const Contention& other);

 private:
  /// Of one word of memory, or of a large piece.
  struct Past {
    std::uintptr_t begin = 0;
    std::uint64_t size = 0;
    std::uint64_t mutexes = 0;
    std::uint64_t others = 0;  // of one that was made
    std::uint64_t key = 0;     // of one that was left out
    std::uint16_t process = 0;
    std::int32_t rank = -1;
    bool writes = false;
    bool atomic = false;
    friend bool operator==(const Past&, const Past&) = default;
  };
  using Pasts = std::vector<Past>;
  static constexpr std::uint64_t word = 8;
  static constexpr std::uint64_t large = 4096;    // bytes; not listed word by word
  static constexpr std::size_t most_mutexes = 8;  // that are told apart at one word
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40U;  // of one access

  [[nodiscard]] static std::uint64_t key_of(const Use& use);
  template <typename Visit>
  static void for_each_word(const Past& past, Visit&& visit);
  [[nodiscard]] bool may_race(const Past& left_out, const Past& made) const;
  bool add_made(Pasts& there, Past past);
  void add_left_out(const Past& past);
  bool find_left_out(const Past& made);
  bool find_made(const Past& left_out);
  bool contest(const Past& left_out) { return contested_.insert(left_out.key); }

  AddressMap<Pasts> made_;
  Pasts large_made_;
  AddressMap<Pasts> left_out_;  // by word, of large ones too
  Pasts all_left_out_;
  std::vector<std::uint64_t> late_;  // by process: the others whose earlier accesses count
  AddressSet contested_;
};

inline void members(ArchiveWriter& archive, const Contention& contention) {
  archive(contention.all());
}
inline void members(ArchiveReader& archive, Contention& contention) {
  std::vector<std::uint64_t> words;
  archive(words);
  contention.add_all(words);
}

}  // namespace mazurka::threads
