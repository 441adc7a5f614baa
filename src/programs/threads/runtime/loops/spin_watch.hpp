// What a process has done since it last changed anything, to notice that it goes round in circles.
//
// The idea is in loops/spin_recognition.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/list.hpp"
#include "programs/threads/runtime/memory_model/contention.hpp"
#include "programs/threads/runtime/state/logical_time.hpp"

namespace mazurka::threads {

/// As many bytes as are whole words.
[[nodiscard]] constexpr std::size_t in_words(std::size_t size) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  return (size + word - 1) / word * word;
}

/// Words that are written first, one after the other, and then kept or not. Whoever is about to
/// write makes room, once, for all that there may be; but a copy that is not written to needs no
/// more than is kept, and most processes never write any.
class Words {
 public:
  static constexpr std::uint32_t most = std::uint32_t{1} << 16;

  Words() = default;
  Words(const Words& other) { *this = other; }
  Words& operator=(const Words& other) {
    kept_ = 0;
    make_room(other.kept_);
    kept_ = other.kept_;
    std::copy_n(other.words_.get(), kept_, words_.get());
    return *this;
  }
  ~Words() = default;

  /// For so many, in all.
  void make_room(std::uint32_t words = most) {
    if (room_ >= words) return;
    auto more = std::make_unique_for_overwrite<std::uint64_t[]>(words);
    std::copy_n(words_.get(), kept_, more.get());
    words_ = std::move(more);
    room_ = words;
  }
  [[nodiscard]] std::uint64_t& operator[](std::size_t at) { return words_[at]; }
  [[nodiscard]] const std::uint64_t& operator[](std::size_t at) const { return words_[at]; }
  /// So many are kept, from the beginning.
  [[nodiscard]] std::uint32_t kept() const { return kept_; }
  void keep(std::uint32_t more) { kept_ += more; }
  void clear() { kept_ = 0; }

  friend bool operator==(const Words& one, const Words& other) {
    return one.kept_ == other.kept_ &&
           std::equal(one.words_.get(), one.words_.get() + one.kept_, other.words_.get());
  }

 private:
  std::unique_ptr<std::uint64_t[]> words_;
  std::uint32_t kept_ = 0;
  std::uint32_t room_ = 0;
};

struct SpinWatch {
  /// An operation that only read a variable, and handed on what it saw: by its result, or, of a
  /// compare-exchange that failed, where `expected` points if that is not 0. None if `size` is 0.
  struct Look {
    std::uintptr_t address = 0;
    std::uintptr_t expected = 0;
    std::uint64_t value = 0;
    std::uint64_t wanted = 0;
    std::uint8_t size = 0;
    bool compares = false;
    friend bool operator==(const Look&, const Look&) = default;
  };
  /// The process was here since it last changed something, and in this state.
  struct Place {
    std::uintptr_t code = 0;
    std::uintptr_t stack = 0;
    std::uint64_t operation = 0;  // that it came to, with its operands, mixed
    std::uint64_t held = 0;       // the locks that it held, mixed
    std::uint32_t fewest = 0;     // locks that it has held since then, at the least
    std::uint32_t begin = 0;      // in `states`: all that decides what it does next
    std::uint32_t frames = 0;     // ... and where its stack begins there
    std::uint32_t size = 0;       // ... so many words, whether they are there
    bool known = false;           // ... or not (repeated_sites.hpp)
    std::uint32_t reads = 0;      // how many reads and writes it had made
    std::uint32_t writes = 0;
    std::uint32_t uses = 0;
    std::uint32_t choices = 0;
    std::uint32_t noticed = 0;  // how often others had found a lock of its held
    std::uint32_t jostled = 0;
    std::uint32_t rounds = 0;  // how often it came back, and had been jostled
    std::uint32_t looks = 0;   // at the clock, so far
    std::int64_t time = 0;
    Look look;  // what the operation turned out to be
    friend bool operator==(const Place&, const Place&) = default;

    /// Whether the process comes there to do the same again, if its state is the same.
    [[nodiscard]] bool is_like(const Place& other) const {
      return code == other.code && stack == other.stack && operation == other.operation &&
             held == other.held && size == other.size;
    }
    /// Where this word of the stack is in `states`.
    [[nodiscard]] std::size_t word_at(std::uintptr_t address) const {
      return frames + (address - stack) / sizeof(std::uint64_t);
    }
  };
  /// A value that it read: of memory, where something newer may have been by then, or of another
  /// object if `size` is 0; or that object let it pass, with this wish (operations.hpp); or it set
  /// or cleared bits that were so already; or a process had not ended, whose number is the value.
  struct Read {
    enum class What : std::uint8_t {
      value,
      older_value,
      passed,
      set_bits,
      cleared_bits,
      unfinished
    };
    std::uintptr_t address = 0;
    std::uint64_t value = 0;
    ObjectId object{};
    std::uint8_t size = 0;
    What what = What::value;
    friend bool operator==(const Read&, const Read&) = default;
  };
  /// A plain write, told before it happens.
  struct Write {
    std::uintptr_t address = 0;
    std::uint64_t old = 0;
    std::uint32_t reads = 0;  // how many reads came before it
    std::uint8_t size = 0;
    bool local = false;  // to its own stack
    friend bool operator==(const Write&, const Write&) = default;
  };
  static constexpr std::size_t max_places = 128;
  static constexpr std::uint32_t max_rounds = 2;
  static constexpr std::size_t max_reads = std::size_t{1} << 14;
  static constexpr std::size_t max_writes = 64;  // to its own stack, and to other memory
  static constexpr std::uint32_t max_state = std::uint32_t{1} << 14;

  List<Place> places;
  Words states;                // of the places where they are known
  std::uint32_t words = 0;     // of the states of all the places
  List<Read> reads;            // since the first state that is known
  std::uint32_t unlisted = 0;  // so many came before
  List<Write> writes;
  List<Contention::Use> uses;        // of memory, that could be in a data race; as the reads
  std::size_t local_writes = 0;      // of these
  List<std::uintptr_t> overwritten;  // words of its stack, by others
  std::size_t settled = 0;           // so many of the writes are known to have changed nothing
  std::uint64_t held = 0;            // the locks that the process holds, mixed
  std::uint64_t mutexes = 0;         // those of them that nobody else can hold
  std::uint32_t locks = 0;           // ... and their number
  std::uint32_t choices = 0;         // outcomes that were chosen for it
  std::uint64_t plain = 0;           // plain reads since the last step
  std::uint64_t next_look = 0;       // so many of them are no ordinary computation any more
  std::uint32_t noticed = 0;  // how often another process has found a lock held by this one ...
  std::uint32_t jostled = 0;  // ... while it held one itself, which this one may be after
  bool arrived = false;       // the last place is that of the latest operation
  bool stuck = false;         // it spins; `reads` are those of one round
  bool assumed = false;       // or it has found that an assumption does not hold
  bool chose = false;         // or another outcome of a choice might end the loop
  bool granted = false;       // it was let go on after a round that could have been left out
  bool retried = false;       // or its latest round was needless, but not in vain

  void start() {
    progress();
    held = mutexes = 0;
    locks = choices = noticed = jostled = 0;
    step();
    arrived = stuck = assumed = chose = granted = retried = false;
  }
  void step() {
    plain = 0;
    next_look = first_look;
  }
  void progress() {
    if (places.empty()) return;
    places.clear();
    states.clear();
    words = 0;
    reads.clear();
    unlisted = 0;
    writes.clear();
    uses.clear();
    local_writes = 0;
    overwritten.clear();
    settled = 0;
  }
  /// There may be too much to look through it all.
  [[nodiscard]] bool is_full() const {
    return places.size() >= max_places || reads.size() + unlisted >= max_reads ||
           words + max_state > Words::most || uses.size() >= max_reads;
  }
  [[nodiscard]] bool lists_uses() const { return states.kept() != 0; }
  /// The process reads so many bytes, or an object: whether that is written down.
  [[nodiscard]] bool lists_reads(std::size_t size = 8) {
    if (states.kept() != 0) return true;
    if (!places.empty()) unlisted += static_cast<std::uint32_t>((size + 7) / 8);
    return false;
  }
  void add(const Place& place) {
    if (place.known) states.keep(place.size);
    words += place.size;
    places.push_back(place);
    arrived = true;
  }
  void take_lock(std::uint64_t name) {
    held += name;
    ++locks;
  }
  void give_back_lock(std::uint64_t name) {
    MAZURKA_CHECK(locks > 0, "a lock is given back that was taken");
    held -= name;
    --locks;
    for (Place& one : places) one.fewest = std::min(one.fewest, locks);
  }
  void take_mutex(std::uint64_t name) {
    mutexes += name;
    take_lock(name);
  }
  void give_back_mutex(std::uint64_t name) {
    mutexes -= name;
    give_back_lock(name);
  }
  void will_write(std::uintptr_t address, std::uint64_t old, std::size_t size, bool local) {
    for (std::size_t at = settled; at < writes.size(); ++at) {
      if (writes[at].address == address && writes[at].size == size) return;
    }
    writes.push_back({address, old, static_cast<std::uint32_t>(reads.size()),
                      static_cast<std::uint8_t>(size), local});
    if (local) ++local_writes;
  }
  /// Others may be about to look: have the writes since they last could changed anything?
  void settle_writes() {
    for (std::size_t at = settled; at < writes.size(); ++at) {
      if (writes[at].local) continue;
      std::uint64_t now = 0;
      std::memcpy(&now, reinterpret_cast<const void*>(writes[at].address), writes[at].size);
      if (now != writes[at].old) return progress();
    }
    settled = writes.size();
  }
  /// Whether the process had itself written, in the round that began there, what it read.
  [[nodiscard]] bool own(const Place& place, std::size_t read) const {
    for (std::size_t at = place.writes; at < writes.size(); ++at) {
      if (writes[at].reads <= read && writes[at].address < reads[read].address + reads[read].size &&
          reads[read].address < writes[at].address + writes[at].size) {
        return true;
      }
    }
    return false;
  }

  /// Another process is about to read or write this word of the stack. A place counts no longer if
  /// the process has changed the word since then.
  void show(std::uintptr_t word, std::uint64_t value) {
    for (Place& one : places) {
      if (one.known && one.stack <= word && states[one.word_at(word)] != value) one.code = 0;
    }
  }
  /// Another process has written the word: as if it had done so before.
  void overwrite(std::uintptr_t word, std::uint64_t value) {
    overwritten.push_back(word);
    for (const Place& one : places) {
      if (one.known && one.stack <= word) states[one.word_at(word)] = value;
    }
  }

  static constexpr std::uint64_t first_look = 20'000;
  static constexpr std::uint64_t look = 4'096;  // for so many reads from then on
  friend bool operator==(const SpinWatch&, const SpinWatch&) = default;
};

/// Whether the two states are the same. `later`: how much later, for the process, the second is.
/// What has changed must then be points in time, moved by as much, or copies of the seconds or the
/// nanoseconds of one that is there in full. After ages also times in larger units are known by how
/// far they have moved.
[[nodiscard]] inline bool same_state(const std::uint64_t* one, const std::uint64_t* other,
                                     std::size_t size, std::int64_t later) {
  if (later == 0) return std::equal(one, one + size, other);
  const auto shift = static_cast<std::uint64_t>(later);
  constexpr auto nanoseconds = static_cast<std::uint64_t>(second);
  List<std::size_t> full;  // where the seconds are
  for (std::size_t at = 0; at + 1 < size; ++at) {
    const std::uint64_t seconds = other[at] - one[at];
    const std::uint64_t rest = other[at + 1] - one[at + 1];
    const bool are_parts = one[at + 1] < nanoseconds && other[at + 1] < nanoseconds;
    if (are_parts && seconds * nanoseconds + rest == shift) full.push_back(at++);
  }
  const auto is_part = [&](std::size_t at) {
    return std::any_of(full.begin(), full.end(), [&](std::size_t there) {
      const auto copies = [&](std::size_t part) {
        return one[at] == one[part] && other[at] == other[part];
      };
      return copies(there) || copies(there + 1);
    });
  };
  const auto moved_by = [&](std::size_t at, std::uint64_t unit) {
    return other[at] - one[at] - shift / unit <= 1;
  };
  for (std::size_t at = 0; at < size; ++at) {
    if (other[at] == one[at] || other[at] - one[at] == shift || is_part(at)) continue;
    const bool known = later >= ages && (moved_by(at, 1'000) || moved_by(at, 1'000'000) ||
                                         moved_by(at, nanoseconds));
    if (!known) return false;
  }
  return true;
}

}  // namespace mazurka::threads
