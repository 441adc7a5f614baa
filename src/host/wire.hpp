// The protocol as bytes: how a Request and a Reply cross from one process to another.
//
// Both ends are built from one source tree and run on one machine, so the form is the simplest one
// that can be checked: fixed-width little-endian numbers, and length-prefixed strings and lists.
// A reader never trusts a length, and input that is cut, too long or of another version is an
// error, not a guess.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::host {

/// The bytes are not a message of this protocol version; what() says what is wrong with them.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] std::vector<std::byte> encode(const Request& request);
[[nodiscard]] std::vector<std::byte> encode(const Reply& reply);
[[nodiscard]] std::vector<std::byte> encode(const RaceQuestion& question);
[[nodiscard]] std::vector<std::byte> encode(const RaceAnswer& answer);

/// All throw WireError.
[[nodiscard]] Request decode_request(std::span<const std::byte> bytes);
[[nodiscard]] Reply decode_reply(std::span<const std::byte> bytes);
/// Drafts may come before the reply: the last one that is whole. Throws WireError if none is.
[[nodiscard]] Reply decode_last_reply(std::span<const std::byte> bytes);
[[nodiscard]] RaceQuestion decode_question(std::span<const std::byte> bytes);
[[nodiscard]] RaceAnswer decode_answer(std::span<const std::byte> bytes);

}  // namespace mazurka::host
