// What processes share, in a translation: variables and channels with the values that they may
// have.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "programs/promela/causality.hpp"
#include "programs/promela/values.hpp"

namespace mazurka::promela {

using Bytes = std::vector<std::uint8_t>;

/// Its number in a list in which each occurs once.
class Numbered {
 public:
  std::uint32_t operator()(const Bytes& value) {
    const auto [found, fresh] = numbers_.emplace(value, static_cast<std::uint32_t>(all_.size()));
    if (fresh) all_.push_back(value);
    return found->second;
  }
  [[nodiscard]] const Bytes& operator[](std::uint32_t number) const {
    MAZURKA_CHECK(number < all_.size(), "a number is one of the list");
    return all_[number];
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }

 private:
  std::vector<Bytes> all_;
  std::map<Bytes, std::uint32_t> numbers_;
};

struct SharedObject {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  Numbered values;           // the first one is the initial one
  std::vector<Pasts> pasts;  // of the values
};

/// A value is needed that is not known yet.
struct Wanted {
  std::uint32_t object = 0;
};

/// What is known while a step is executed.
class Knowledge final : public Footprint {
 public:
  struct Entry {
    std::uint32_t object = 0;
    std::uint32_t value = 0;
    bool blind = false;  // it is overwritten, whatever it was
  };

  explicit Knowledge(const std::map<std::uint32_t, std::uint32_t>& object_at)
      : object_at_(object_at) {}

  /// `may_be_blind`: the step is one statement, so what is written and not read before is not read.
  void begin(std::vector<Entry> known, bool may_be_blind) {
    entries = std::move(known);
    may_be_blind_ = may_be_blind;
  }
  void reads(std::uint32_t offset) override {
    const std::uint32_t object = object_at(offset);
    if (!knows(object)) throw Wanted{object};
  }
  void writes(std::uint32_t offset) override {
    const std::uint32_t object = object_at(offset);
    if (knows(object)) return;
    if (!may_be_blind_) throw Wanted{object};
    entries.push_back({object, 0, true});
  }
  [[noreturn]] void gives_up(const std::string& why) override;

  std::vector<Entry> entries;

 private:
  [[nodiscard]] std::uint32_t object_at(std::uint32_t offset) const {
    const auto found = object_at_.find(offset);
    MAZURKA_CHECK(found != object_at_.end(), "what processes share is an object of the network");
    return found->second;
  }
  [[nodiscard]] bool knows(std::uint32_t object) const {
    for (const Entry& entry : entries) {
      if (entry.object == object) return true;
    }
    return false;
  }
  const std::map<std::uint32_t, std::uint32_t>& object_at_;
  bool may_be_blind_ = false;
};

}  // namespace mazurka::promela
