// One list of members per struct serves both directions: `members(archive, value)` is instantiated
// with a Writer and a const value to encode and with a Reader to decode, so that the two can not
// drift apart.
#include "programs/threads/wire.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

namespace mazurka::threads {
namespace {

constexpr std::uint32_t request_magic = 0x5152'5a4d;  // "MZRQ"
constexpr std::uint32_t reply_magic = 0x5052'5a4d;    // "MZRP"

template <typename T>
concept Number = std::is_integral_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  explicit Writer(std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template <typename... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }

 private:
  template <Number T>
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
  void put(const T& value) { members(*this, value); }

  std::vector<std::byte>& bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }

  void expect_end() const {
    if (!bytes_.empty()) {
      throw WireError(std::to_string(bytes_.size()) + " bytes follow the end of the message");
    }
  }

 private:
  void need(std::uint64_t count) const {
    if (count > bytes_.size()) {
      throw WireError("the message is cut short: " + std::to_string(count) +
                      " bytes are needed and " + std::to_string(bytes_.size()) + " are left");
    }
  }
  template <Number T>
  void get(T& value) {
    need(sizeof(T));
    std::uint64_t number = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) {
      number = (number << 8) | std::to_integer<std::uint64_t>(bytes_[i]);
    }
    bytes_ = bytes_.subspan(sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
      if (number > 1) throw WireError("a truth value is neither 0 nor 1");
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
  void get(T& value) { members(*this, value); }
  std::size_t length() {
    std::uint64_t size = 0;
    get(size);
    need(size);
    return static_cast<std::size_t>(size);
  }

  std::span<const std::byte> bytes_;
};

// `Same<T> Value`: the struct T, const when it is written, mutable when it is read.
template <typename Value, typename T>
concept Same = std::is_same_v<std::remove_const_t<Value>, T>;

template <typename Archive>
void members(Archive& archive, Same<Decision> auto& v) {
  archive(v.process, v.choice);
}
template <typename Archive>
void members(Archive& archive, Same<Limits> auto& v) {
  archive(v.max_executions, v.max_seconds, v.max_events, v.keep_going, v.seed, v.sleep_sets);
}
template <typename Archive>
void members(Archive& archive, Same<Statistics> auto& v) {
  archive(v.executions, v.asleep, v.events, v.transitions, v.deepest, v.processes, v.cut, v.stalled,
          v.stored, v.explored);
}
template <typename Archive>
void members(Archive& archive, Same<Finding> auto& v) {
  archive(v.kind, v.process, v.message, v.key, v.schedule);
}
template <typename Archive>
void members(Archive& archive, Same<RawEvent> auto& v) {
  archive(v.process, v.action, v.flags, v.size, v.position, v.address, v.second_address, v.value,
          v.new_value, v.peer, v.stack);
}
template <typename Archive>
void members(Archive& archive, Same<RawProcess> auto& v) {
  archive(v.id, v.parent, v.nth, v.routine);
}
template <typename Archive>
void members(Archive& archive, Same<RawWaiting> auto& v) {
  archive(v.process, v.action, v.address, v.peer, v.holder, v.enabled, v.stack);
}
template <typename Archive>
void members(Archive& archive, Same<RawBlock> auto& v) {
  archive(v.address, v.size, v.owner, v.nth, v.stack);
}
template <typename Archive>
void members(Archive& archive, Same<RawStack> auto& v) {
  archive(v.process, v.low, v.high);
}
template <typename Archive>
void members(Archive& archive, Same<RawModule> auto& v) {
  archive(v.base, v.path);
}
template <typename Archive>
void members(Archive& archive, Same<RawStory> auto& v) {
  archive(v.processes, v.events, v.waiting, v.blocks, v.stacks);
}
template <typename Archive>
void members(Archive& archive, Same<StoryRow> auto& v) {
  archive(v.process, v.action, v.place, v.stack, v.read_from, v.switch_reason, v.failing,
          v.decision, v.from);
}
template <typename Archive>
void members(Archive& archive, Same<Story> auto& v) {
  archive(v.layout, v.processes, v.rows, v.endings, v.place);
}
template <typename Archive>
void members(Archive& archive, Same<RawFinding> auto& v) {
  archive(v.finding, v.story, v.told);
}
template <typename Archive>
void members(Archive& archive, Same<RawDivergence> auto& v) {
  archive(v.event, v.expected, v.seen);
}
template <typename Archive>
void members(Archive& archive, Same<Request> auto& v) {
  archive(v.task, v.technique, v.racy, v.limits, v.stall_seconds, v.schedule, v.order,
          v.measure_replay);
}
template <typename Archive>
void members(Archive& archive, Same<Reply> auto& v) {
  archive(v.error, v.complete, v.stopped, v.statistics, v.seconds, v.peak_memory, v.findings,
          v.modules, v.divergence, v.notes, v.replayed, v.stalled_at, v.stalled_process,
          v.replay_seconds, v.replay_executions);
}

template <typename Message>
std::vector<std::byte> encode_message(std::uint32_t magic, const Message& message) {
  std::vector<std::byte> bytes;
  Writer writer(bytes);
  writer(magic, message.version);
  members(writer, message);
  return bytes;
}

template <typename Message>
Message decode_message(std::uint32_t magic, const char* what, std::span<const std::byte> bytes) {
  try {
    Reader reader(bytes);
    std::uint32_t seen_magic = 0;
    Message message;
    reader(seen_magic, message.version);
    if (seen_magic != magic) throw WireError("it does not begin as one");
    if (message.version != protocol_version) {
      throw WireError("it speaks protocol version " + std::to_string(message.version) +
                      " and this program version " + std::to_string(protocol_version) +
                      "; build both from the same release");
    }
    members(reader, message);
    reader.expect_end();
    return message;
  } catch (const WireError& error) {
    throw WireError(std::string("not a valid ") + what + ": " + error.what());
  }
}

}  // namespace

std::vector<std::byte> encode(const Request& request) {
  return encode_message(request_magic, request);
}
std::vector<std::byte> encode(const Reply& reply) { return encode_message(reply_magic, reply); }

Request decode_request(std::span<const std::byte> bytes) {
  return decode_message<Request>(request_magic, "request", bytes);
}
Reply decode_reply(std::span<const std::byte> bytes) {
  return decode_message<Reply>(reply_magic, "reply", bytes);
}

}  // namespace mazurka::threads
