// The verdict about a certificate.
//
// The schedules are gone through several times, and only names of demands are kept: first those
// that are made, then they are struck out where some execution meets them. What is left is looked
// for in each execution; a demand that none of them meets refuses the certificate.
#pragma once

#include <cstdint>
#include <string>

#include "certificate.hpp"
#include "demands.hpp"
#include "key.hpp"

namespace certify {

enum class Verdict : std::uint8_t { accepted, refused, incomplete };

struct Statistics {
  std::uint64_t executions = 0;
  std::uint64_t traces = 0;  // different executions
  std::uint64_t events = 0;
  std::uint64_t demands = 0;     // different ones
  std::uint64_t looked_for = 0;  // of these, met by none of the executions at first sight
};

struct Judgement {
  Verdict verdict = Verdict::refused;
  std::string why;  // for people; empty if accepted
  Statistics statistics;
};

struct CheckOptions {
  Secret secret;
  Weakening weakening = Weakening::nothing;  // for tests
};

[[nodiscard]] Judgement check(const Certificate& certificate, const CheckOptions& options);

}  // namespace certify
