// Numbers of paths: additions only, and larger than any machine word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::stateful {

class BigCount {
 public:
  BigCount(std::uint64_t value = 0) {  // NOLINT: a number is a number
    for (; value != 0; value >>= 32) limbs_.push_back(static_cast<std::uint32_t>(value));
  }

  BigCount& operator+=(const BigCount& other) {
    if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size(), 0);
    std::uint64_t carry = 0;
    for (std::size_t at = 0; at < limbs_.size(); ++at) {
      carry += limbs_[at];
      if (at < other.limbs_.size()) carry += other.limbs_[at];
      limbs_[at] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
    return *this;
  }
  friend bool operator==(const BigCount&, const BigCount&) = default;

  [[nodiscard]] std::string decimal() const {
    std::vector<std::uint32_t> rest = limbs_;
    std::string digits;
    while (!rest.empty()) {
      std::uint64_t remainder = 0;
      for (std::size_t at = rest.size(); at-- > 0;) {
        const std::uint64_t value = (remainder << 32) | rest[at];
        rest[at] = static_cast<std::uint32_t>(value / 10);
        remainder = value % 10;
      }
      digits.push_back(static_cast<char>('0' + remainder));
      while (!rest.empty() && rest.back() == 0) rest.pop_back();
    }
    if (digits.empty()) digits = "0";
    std::reverse(digits.begin(), digits.end());
    return digits;
  }

 private:
  std::vector<std::uint32_t> limbs_;  // least significant first, no leading zero
};

}  // namespace mazurka::stateful
