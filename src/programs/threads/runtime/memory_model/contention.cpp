#include "programs/threads/runtime/memory_model/contention.hpp"

#include <algorithm>
#include <tuple>

#include "core/check.hpp"
#include "programs/threads/runtime/machine/memory.hpp"

namespace mazurka::threads {

namespace {

std::uint64_t packed(std::uint16_t process, std::int32_t rank, bool writes, bool atomic) {
  return std::uint64_t{process} | std::uint64_t{static_cast<std::uint32_t>(rank)} << 16U |
         std::uint64_t{writes} << 48U | std::uint64_t{atomic} << 49U;
}

}  // namespace

// The same code meets ever new blocks of the heap. Static variables are told apart: all loads may
// be in one function of a library.
std::uint64_t Contention::key_of(const Use& use) {
  constexpr std::uint64_t spread = 0x9e37'79b9'7f4a'7c15;
  const bool by_code = use.code != 0 && in_zone(use.address);
  const std::uint64_t place = by_code ? 0 : use.address / word;
  return (use.code ^ place * spread) | std::uint64_t{1} << 63U;
}

// With the part of it that is there.
template <typename Visit>
void Contention::for_each_word(const Past& past, Visit&& visit) {
  MAZURKA_CHECK(past.size > 0, "an access that is noted has a size");
  const std::uintptr_t end = past.begin + past.size;
  for (std::uintptr_t at = past.begin / word * word; at < end; at += word) {
    Past part = past;
    part.begin = std::max(past.begin, at);
    part.size = std::min<std::uint64_t>(end, at + word) - part.begin;
    visit(at | (word - 1), part);
  }
}

bool Contention::may_race(const Past& left_out, const Past& made) const {
  if (left_out.process == made.process || left_out.rank != made.rank) return false;
  if (!left_out.writes && !made.writes) return false;
  if (left_out.atomic && made.atomic) return false;
  if (left_out.mutexes != 0 && left_out.mutexes == made.mutexes) return false;
  if (left_out.begin >= made.begin + made.size || made.begin >= left_out.begin + left_out.size) {
    return false;
  }
  const std::size_t process = left_out.process;
  const bool late = process < late_.size() && (late_[process] & bit_of(made.process)) != 0;
  return late || (made.others & bit_of(left_out.process)) != 0;
}

bool Contention::add_made(Pasts& there, Past past) {
  const auto is_alike = [&](const Past& one) {
    return one.process == past.process && one.writes == past.writes && one.atomic == past.atomic &&
           one.begin == past.begin && one.size == past.size && one.rank == past.rank;
  };
  std::size_t alike = 0;
  for (Past& one : there) {
    if (!is_alike(one)) continue;
    ++alike;
    if (one.mutexes != past.mutexes && one.mutexes != 0) continue;
    const bool known = (past.others & ~one.others) == 0;
    one.others |= past.others;
    return !known;
  }
  if (alike >= most_mutexes) past.mutexes = 0;
  there.push_back(past);
  return true;
}

bool Contention::make(const Use& use, std::uint64_t others) {
  if (use.size == 0) return false;
  const Past past{.begin = use.address,
                  .size = use.size,
                  .mutexes = use.mutexes,
                  .others = others,
                  .process = use.process,
                  .rank = use.rank,
                  .writes = use.writes,
                  .atomic = use.atomic};
  if (past.size >= large) return add_made(large_made_, past) && find_left_out(past);
  bool is_new = false;
  for_each_word(past, [&](std::uintptr_t at, const Past& part) {
    if (add_made(made_[at], part)) is_new = true;
  });
  return is_new && find_left_out(past);
}

bool Contention::find_left_out(const Past& made) {
  if (all_left_out_.empty()) return false;
  bool more = false;
  const auto compare = [&](const Pasts& there) {
    for (const Past& one : there) {
      if (may_race(one, made) && contest(one)) more = true;
    }
  };
  if (made.size >= large) {
    compare(all_left_out_);
    return more;
  }
  for_each_word(made, [&](std::uintptr_t at, const Past&) {
    if (const Pasts* there = left_out_.look(at)) compare(*there);
  });
  return more;
}

bool Contention::find_made(const Past& left_out) {
  bool found = std::any_of(large_made_.begin(), large_made_.end(),
                           [&](const Past& one) { return may_race(left_out, one); });
  for_each_word(left_out, [&](std::uintptr_t at, const Past&) {
    const Pasts* there = made_.look(at);
    found = found ||
            (there != nullptr && std::any_of(there->begin(), there->end(), [&](const Past& one) {
               return may_race(left_out, one);
             }));
  });
  return found && contest(left_out);
}

bool Contention::knows_left_out(const Use& use) const {
  const Pasts* there = left_out_.look(use.address | (word - 1));
  return there != nullptr && std::any_of(there->begin(), there->end(), [&](const Past& one) {
           return one.begin == use.address && one.size == use.size && one.process == use.process &&
                  one.writes == use.writes && one.atomic == use.atomic && one.rank == use.rank &&
                  one.key == key_of(use) && (one.mutexes == use.mutexes || one.mutexes == 0);
         });
}

bool Contention::leave_out(const Use& use) {
  if (use.size == 0 || knows_left_out(use)) return false;
  const Past past{.begin = use.address,
                  .size = use.size,
                  .mutexes = use.mutexes,
                  .key = key_of(use),
                  .process = use.process,
                  .rank = use.rank,
                  .writes = use.writes,
                  .atomic = use.atomic};
  add_left_out(past);
  return find_made(past);
}

void Contention::add_left_out(const Past& past) {
  const Pasts* there = left_out_.look(past.begin | (word - 1));
  const auto is_same = [&](const Past& one) { return one == past; };
  if (there != nullptr && std::any_of(there->begin(), there->end(), is_same)) return;
  all_left_out_.push_back(past);
  for_each_word(past, [&](std::uintptr_t at, const Past&) { left_out_[at].push_back(past); });
}

bool Contention::begin_late(std::uint16_t process, std::uint16_t other) {
  if (process >= late_.size()) late_.resize(process + std::size_t{1});
  if ((late_[process] & bit_of(other)) != 0) return false;
  late_[process] |= bit_of(other);
  bool more = false;
  for (const Past& one : all_left_out_) {
    if (one.process == process && find_made(one)) more = true;
  }
  return more;
}

bool Contention::compare() {
  bool more = false;
  for (const Past& one : all_left_out_) {
    if (!contested_.contains(one.key) && find_made(one)) more = true;
  }
  return more;
}

// All of it as numbers, in an order that is always the same.
std::vector<std::uint64_t> Contention::all() const {
  Pasts made = large_made_;
  made_.for_each([&](std::uintptr_t, const Pasts& there) {
    made.insert(made.end(), there.begin(), there.end());
  });
  std::sort(made.begin(), made.end(), [](const Past& one, const Past& other) {
    const auto rank = [](const Past& past) {
      return std::tuple(past.begin, past.size, past.process, past.writes, past.atomic,
                        past.mutexes);
    };
    return rank(one) < rank(other);
  });
  std::vector<std::uint64_t> keys = contested_.all();
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint64_t> words{late_.size(), keys.size(), made.size()};
  words.insert(words.end(), late_.begin(), late_.end());
  words.insert(words.end(), keys.begin(), keys.end());
  const auto add = [&](const Past& one) {
    words.insert(words.end(), {one.begin, one.size, one.mutexes, one.others, one.key,
                               packed(one.process, one.rank, one.writes, one.atomic)});
  };
  for (const Past& one : made) add(one);
  for (const Past& one : all_left_out_) add(one);
  return words;
}

void Contention::add_all(const std::vector<std::uint64_t>& words) {
  std::size_t at = 0;
  const auto next = [&] {
    if (at == words.size()) throw ArchiveError("the accesses of a search are cut off");
    return words[at++];
  };
  const std::uint64_t late = next();
  std::uint64_t keys = next();
  std::uint64_t made = next();
  if (late > words.size()) throw ArchiveError("there are too many processes");
  late_.resize(std::max<std::size_t>(late_.size(), late));
  for (std::size_t one = 0; one < late; ++one) late_[one] |= next();
  for (; keys > 0; --keys) contested_.insert(next() | std::uint64_t{1} << 63U);
  while (at < words.size()) {
    Past past{.begin = next(), .size = next(), .mutexes = next(), .others = next(), .key = next()};
    const std::uint64_t rest = next();
    past.process = static_cast<std::uint16_t>(rest);
    past.rank = static_cast<std::int32_t>(static_cast<std::uint32_t>(rest >> 16U));
    past.writes = (rest >> 48U & 1U) != 0;
    past.atomic = (rest >> 49U & 1U) != 0;
    if (past.size == 0 || past.size > most_bytes) throw ArchiveError("an access is too large");
    if (made > 0) {
      --made;
      add_made(past.size >= large ? large_made_ : made_[past.begin | (word - 1)], past);
    } else {
      add_left_out(past);
    }
  }
}

bool operator==(const Contention& one, const Contention& other) { return one.all() == other.all(); }

}  // namespace mazurka::threads
