// One state of a model: bytes, where the processes and channels are in them, and what expressions
// are worth there.
//
// The bytes are: how many processes there are; the global variables; the global channels; then the
// processes in the order of their creation, each followed by the channels that it made. A process
// is its proctype, its location (two bytes) and its locals. A channel is how many messages it has,
// and a row of slots; those that are free are zero, so that equal states have equal bytes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "programs/promela/model.hpp"

namespace mazurka::promela {

/// The model does what it must not: an index beyond its array, a division by zero.
struct Fault {
  std::string message;
  Place place;
};

/// "1 field", "2 fields".
[[nodiscard]] std::string shown_fields(std::size_t count);

struct Configuration {
  struct Channel {
    std::uint32_t offset = 0;
    std::uint32_t type = 0;
  };
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint32_t> processes;  // their offsets
  std::vector<Channel> channels;

  [[nodiscard]] std::uint8_t proctype(std::uint32_t process) const {
    return bytes[processes[process]];
  }
  [[nodiscard]] LocationId location(std::uint32_t process) const {
    const std::uint8_t* at = bytes.data() + processes[process] + 1;
    return static_cast<LocationId>(at[0] | at[1] << 8);
  }
  void go_to(std::uint32_t process, LocationId location) {
    std::uint8_t* at = bytes.data() + processes[process] + 1;
    at[0] = static_cast<std::uint8_t>(location & 0xffU);
    at[1] = static_cast<std::uint8_t>(location >> 8);
  }
};

/// Who evaluates, and where.
struct View {
  const Configuration& at;
  std::uint32_t process = 0;
  bool timeout = false;  // nothing else is possible
};

inline constexpr std::uint32_t before_globals = 1;
inline constexpr std::uint32_t before_locals = 3;

[[nodiscard]] std::int32_t load(const std::uint8_t* at, Cell cell);
void store(std::uint8_t* at, Cell cell, std::int32_t value);

/// Who wants to know what a step reads and writes of what processes share: the places of global
/// variables, and of channels with a buffer.
class Footprint {
 public:
  Footprint() = default;
  Footprint(const Footprint&) = delete;
  Footprint& operator=(const Footprint&) = delete;
  virtual ~Footprint() = default;
  virtual void reads(std::uint32_t offset) = 0;
  virtual void writes(std::uint32_t offset) = 0;
  /// The step depends on more than that.
  [[noreturn]] virtual void gives_up(const std::string& why) = 0;
};

class Values {
 public:
  explicit Values(const Model& model, Footprint* footprint = nullptr)
      : model_(model), footprint_(footprint) {}

  [[nodiscard]] Footprint* footprint() const { return footprint_; }

  /// Finds processes and channels in the bytes.
  void lay_out(Configuration& state) const;

  /// Throws PromelaError if no channel of the model has messages of as many fields.
  void refuse_too_many(std::size_t fields, const Place& place) const;
  /// Throws Fault, and PromelaError for what no run may do: use a channel that is none.
  [[nodiscard]] std::int32_t evaluate(ExpressionId id, const View& view) const;
  /// Where the variable is in the bytes.
  [[nodiscard]] std::uint32_t address(ReferenceId id, const View& view) const;
  /// The same, of one that will be changed.
  [[nodiscard]] std::uint32_t address_to_write(ReferenceId id, const View& view) const {
    const std::uint32_t at = address(id, view);
    if (footprint_ != nullptr && !model_.references[id].local) footprint_->writes(at);
    return at;
  }
  [[nodiscard]] const Configuration::Channel& channel(ExpressionId id, const View& view) const;
  [[nodiscard]] std::uint32_t length(const Configuration& state,
                                     const Configuration::Channel& channel) const {
    return state.bytes[channel.offset];
  }
  /// The place of the first message that can be received, or -1.
  [[nodiscard]] int matching(const Receive& receive, const View& view) const;
  [[nodiscard]] std::int32_t field(const Configuration& state,
                                   const Configuration::Channel& channel, std::uint32_t slot,
                                   std::uint32_t field) const;

 private:
  [[nodiscard]] std::int32_t about_channel(const Expression& expression, const View& view) const;
  [[nodiscard]] bool matches(const Receive& receive, const Configuration::Channel& channel,
                             std::uint32_t slot, const View& view) const;

  const Model& model_;
  Footprint* footprint_;
};

}  // namespace mazurka::promela
