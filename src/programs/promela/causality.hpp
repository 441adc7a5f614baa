// What must have happened before: how translations stay small.
//
// A counter that three processes increase once each has the values 0 to 3. To see that it has no
// others, one has to know that a process which has done its step does not do it again. So each
// value of a shared object, and each local state of a process, carries its pasts: for every process
// a local state that it must have passed before. A step is possible only with values whose pasts
// agree with each other, and with the process being where it is. Where there are too many pasts for
// one thing, they are replaced by what they have in common, which rules out less.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/check.hpp"

namespace mazurka::promela {

/// Which local states of a process come after which: the transitive closure of its edges.
class LocalOrder {
 public:
  [[nodiscard]] bool is_before_or_same(std::uint32_t one, std::uint32_t other) const {
    if (one == other || one == 0) return true;
    return one < rows_.size() && other / 64 < rows_[one].size() &&
           (rows_[one][other / 64] >> (other % 64) & 1U) != 0;
  }
  /// Whether that is news.
  bool add(std::uint32_t from, std::uint32_t to) {
    if (is_before_or_same(from, to) && from != 0) return false;
    bool news = false;
    for (std::uint32_t one = 0; one < std::max<std::size_t>(rows_.size(), from + 1); ++one) {
      if (one == from || (one != 0 && is_before_or_same(one, from))) news = join(one, to) || news;
    }
    return news;
  }

 private:
  bool join(std::uint32_t one, std::uint32_t to) {
    if (rows_.size() <= std::max(one, to)) rows_.resize(std::max(one, to) + 1);
    const std::vector<std::uint64_t> later = rows_[to];
    std::vector<std::uint64_t>& row = rows_[one];
    row.resize(std::max({row.size(), later.size(), std::size_t{to} / 64 + 1}));
    const std::uint64_t bit = std::uint64_t{1} << (to % 64);
    bool news = (row[to / 64] & bit) == 0;
    row[to / 64] |= bit;
    for (std::size_t at = 0; at < later.size(); ++at) {
      news = news || (later[at] & ~row[at]) != 0;
      row[at] |= later[at];
    }
    return news;
  }

  std::vector<std::vector<std::uint64_t>> rows_;
};

using Past = std::vector<std::uint32_t>;  // per process: a local state that it has passed

/// The pasts of one thing: in every run that has it, one of them has happened.
class Pasts {
 public:
  static constexpr std::size_t most = 24;

  [[nodiscard]] const std::vector<Past>& all() const { return all_; }
  /// Whether that is news.
  bool add(const Past& past, const std::vector<LocalOrder>& orders) {
    MAZURKA_CHECK(past.size() == orders.size(), "a past says how far each process was");
    for (const Past& known : all_) {
      if (is_weaker(known, past, orders)) return false;
    }
    std::erase_if(all_, [&](const Past& known) { return is_weaker(past, known, orders); });
    all_.push_back(past);
    if (all_.size() > most) {
      const Past common = common_part();
      all_.assign(1, common);
    }
    return true;
  }

 private:
  [[nodiscard]] static bool is_weaker(const Past& one, const Past& other,
                                      const std::vector<LocalOrder>& orders) {
    for (std::size_t at = 0; at < one.size(); ++at) {
      if (!orders[at].is_before_or_same(one[at], other[at])) return false;
    }
    return true;
  }
  [[nodiscard]] Past common_part() const {
    Past common = all_.front();
    for (const Past& past : all_) {
      for (std::size_t at = 0; at < common.size(); ++at) {
        if (common[at] != past[at]) common[at] = 0;
      }
    }
    return common;
  }

  std::vector<Past> all_;
};

/// Both have happened; nothing if they can not be parts of one run.
[[nodiscard]] inline std::optional<Past> joined(const Past& one, const Past& other,
                                                const std::vector<LocalOrder>& orders) {
  MAZURKA_CHECK(one.size() == other.size(), "two pasts are joined of the same processes");
  Past both = one;
  for (std::size_t at = 0; at < one.size(); ++at) {
    if (orders[at].is_before_or_same(one[at], other[at])) {
      both[at] = other[at];
    } else if (!orders[at].is_before_or_same(other[at], one[at])) {
      return std::nullopt;
    }
  }
  return both;
}

}  // namespace mazurka::promela
