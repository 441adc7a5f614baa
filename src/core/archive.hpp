// Values as bytes, and back: for messages between processes and for explorations on disk.
//
// One list of members per struct serves both directions: `members(archive, value)` is instantiated
// with an ArchiveWriter and a const value to write, and with an ArchiveReader to read, so that the
// two can not drift apart. The form is the simplest one that can be checked: fixed-width
// little-endian numbers, and length-prefixed strings and lists. A reader never trusts a length.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/finding.hpp"
#include "core/ids.hpp"
#include "core/members.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

/// The bytes are not what they should be; what() says what is wrong with them.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How many members of a struct are left out on purpose: the reader keeps what it has.
template <typename T>
inline constexpr std::size_t members_left_out = 0;

/// An archive for one struct. Ensures, at compile time, that members(archive, value) names all of
/// its members, in one call: one that is left out would be lost on the way to another process.
template <typename T, typename Archive>
class EveryMember {
 public:
  explicit EveryMember(Archive& archive) : archive_(archive) {}
  template <typename... Values>
  void operator()(Values&... values) {
    static_assert(sizeof...(Values) + members_left_out<T> == count_of_members<T>,
                  "members() leaves a member out");
    archive_(values...);
  }

 private:
  Archive& archive_;
};

/// Writes or reads the members of a struct, all of them, or what a class has chosen for itself.
template <typename Archive, typename T>
void each_member(Archive& archive, T& value) {
  if constexpr (std::is_aggregate_v<std::remove_const_t<T>>) {
    EveryMember<std::remove_const_t<T>, Archive> all(archive);
    members(all, value);
  } else {
    members(archive, value);
  }
}

template <typename T>
concept ArchiveNumber = std::is_integral_v<T> || std::is_enum_v<T>;

class ArchiveWriter {
 public:
  /// What is written is added to the bytes. With `hand_on`, which takes them away, it is called for
  /// every piece: what is written is then never in memory as a whole.
  explicit ArchiveWriter(std::vector<std::byte>& bytes, std::function<void()> hand_on = nullptr)
      : bytes_(bytes), hand_on_(std::move(hand_on)) {}

  template <typename... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
    if (bytes_.size() >= piece && hand_on_) hand_on_();
  }

 private:
  static constexpr std::size_t piece = std::size_t{256} << 10U;

  template <ArchiveNumber T>
  void put(const T& value) {
    auto number = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes_.push_back(static_cast<std::byte>(number & 0xff));
      number >>= 8;
    }
  }
  void put(const double& value) { put(std::bit_cast<std::uint64_t>(value)); }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    bytes_.insert(bytes_.end(), begin, begin + text.size());
  }
  void put(const std::optional<std::size_t>& number) {
    put(number.has_value());
    put(number.value_or(0));
  }
  template <typename T>
  void put(const std::vector<T>& list) {
    put(static_cast<std::uint64_t>(list.size()));
    for (const T& element : list) put(element);
  }
  template <typename T>
  requires std::is_class_v<T>
  void put(const T& value) { each_member(*this, value); }

  std::vector<std::byte>& bytes_;
  std::function<void()> hand_on_;
};

class ArchiveReader {
 public:
  explicit ArchiveReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }

  /// What has not been read yet.
  [[nodiscard]] std::span<const std::byte> rest() const { return bytes_; }

  void expect_end() const {
    if (!bytes_.empty()) {
      throw ArchiveError(std::to_string(bytes_.size()) + " bytes follow the end of the message");
    }
  }

 private:
  void need(std::uint64_t count) const {
    if (count > bytes_.size()) {
      throw ArchiveError("the message is cut short: " + std::to_string(count) +
                         " bytes are needed and " + std::to_string(bytes_.size()) + " are left");
    }
  }
  template <ArchiveNumber T>
  void get(T& value) {
    need(sizeof(T));
    std::uint64_t number = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) {
      number = (number << 8) | std::to_integer<std::uint64_t>(bytes_[i]);
    }
    bytes_ = bytes_.subspan(sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
      if (number > 1) throw ArchiveError("a truth value is neither 0 nor 1");
    }
    value = static_cast<T>(number);
  }
  void get(double& value) {
    std::uint64_t number = 0;
    get(number);
    value = std::bit_cast<double>(number);
  }
  void get(std::string& text) {
    const std::size_t size = length();
    text.assign(reinterpret_cast<const char*>(bytes_.data()), size);
    bytes_ = bytes_.subspan(size);
  }
  void get(std::optional<std::size_t>& number) {
    bool present = false;
    std::size_t value = 0;
    get(present);
    get(value);
    number = present ? std::optional<std::size_t>(value) : std::nullopt;
  }
  template <typename T>
  void get(std::vector<T>& list) {
    const std::size_t size = length();  // at least one byte per element: bounds what we reserve
    list.clear();
    for (std::size_t i = 0; i < size; ++i) get(list.emplace_back());
  }
  template <typename T>
  requires std::is_class_v<T>
  void get(T& value) { each_member(*this, value); }
  std::size_t length() {
    std::uint64_t size = 0;
    get(size);
    need(size);
    return static_cast<std::size_t>(size);
  }

  std::span<const std::byte> bytes_;
};

/// `Same<T> Value`: the struct T, const when it is written, mutable when it is read.
template <typename Value, typename T>
concept Same = std::is_same_v<std::remove_const_t<Value>, T>;

template <typename Archive>
void members(Archive& archive, Same<Decision> auto& v) {
  archive(v.process, v.choice);
}
template <typename Archive>
void members(Archive& archive, Same<Access> auto& v) {
  archive(v.object, v.kind, v.mode, v.operand);
}
template <typename Archive>
void members(Archive& archive, Same<Finding> auto& v) {
  archive(v.kind, v.process, v.message, v.key, v.schedule);
}

inline void members(ArchiveWriter& archive, const StepList& list) {
  archive(static_cast<std::uint64_t>(list.size()));
  for (std::size_t at = 0; at < list.size(); ++at) {
    static_assert(count_of_members<Step> == 7, "every member of a step is written and read");
    const Step step = list[at];
    archive(step.decision, step.choices, step.awaited, step.exits,
            std::vector<Access>(step.accesses.begin(), step.accesses.end()),
            std::vector<ProcessId>(step.released.begin(), step.released.end()),
            std::vector<Access>(step.announced.begin(), step.announced.end()));
  }
}
inline void members(ArchiveReader& archive, StepList& list) {
  list.clear();
  std::uint64_t size = 0;
  archive(size);
  std::vector<Access> accesses;
  std::vector<ProcessId> released;
  std::vector<Access> announced;
  for (std::uint64_t at = 0; at < size; ++at) {
    Step step;
    archive(step.decision, step.choices, step.awaited, step.exits, accesses, released, announced);
    if (!announced.empty() && announced.size() != accesses.size()) {
      throw ArchiveError("a step announces another number of accesses than it makes");
    }
    step.accesses = accesses;
    step.released = released;
    step.announced = announced;
    list.push_back(step);
  }
}

}  // namespace mazurka
