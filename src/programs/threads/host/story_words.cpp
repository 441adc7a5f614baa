// The storyteller's words: events, objects and values as text.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "programs/threads/host/storyteller.hpp"
#include "programs/threads/host/variables.hpp"

namespace mazurka::threads {

namespace {

std::string hexadecimal(std::uint64_t number) { return fmt::format("0x{:x}", number); }

std::string sized(const RawEvent& event) {
  return event.size == 0 ? std::string() : fmt::format(" ({} bytes)", event.size);
}

std::string order_name(const RawEvent& event) {
  return event.order == 0 ? "" : name_of(static_cast<MemoryOrder>(event.order - 1));
}

bool is_atomic(const RawEvent& event) { return (event.flags & (flag_plain | flag_ordinary)) == 0; }

}  // namespace

bool has_value(const RawEvent& event) {
  return event.size == 1 || event.size == 2 || event.size == 4 || event.size == 8 ||
         event.size == 16;
}

std::string Storyteller::process_name(ProcessId process) const {
  if (process == no_process) return "nobody";
  for (const RawProcess& one : raw_.processes) {
    if (one.id != process || one.rank < 0) continue;
    if (std::cmp_equal(one.rank, index(process))) return fmt::format("rank {}", one.rank);
    return fmt::format("T{} of rank {}", index(process), one.rank);
  }
  return index(process) == 0 ? "main" : fmt::format("T{}", index(process));
}

std::size_t Storyteller::column(ProcessId process) const {
  for (std::size_t i = 0; i < raw_.processes.size(); ++i) {
    if (raw_.processes[i].id == process) return i;
  }
  return 0;
}

std::string Storyteller::place(const std::vector<std::uint64_t>& stack) const {
  for (const Frame& frame : symbols_.frames(stack)) {
    if (!frame.file.empty()) return frame.place();
  }
  return {};
}

/// By the frames that its process had at the moment that is being told, or soon after: a variable
/// is set up by code that need not have made an event before.
std::optional<NamedPlace> Storyteller::local(std::uint64_t address, std::uint64_t size) const {
  for (const RawStack& stack : raw_.stacks) {
    if (address < stack.low || address >= stack.high) continue;
    const auto look = [&](std::size_t at) -> std::optional<NamedPlace> {
      const RawEvent& event = raw_.events[at];
      if (event.process != stack.process) return std::nullopt;
      return symbols_.local(event.stack, event.ends, address, size);
    };
    constexpr std::size_t patience = 200;  // events, either way
    for (std::size_t back = 0; back <= std::min(moment_, patience); ++back) {
      if (moment_ - back >= raw_.events.size()) continue;
      if (auto found = look(moment_ - back)) return found;
    }
    const std::size_t last = std::min(raw_.events.size(), moment_ + patience);
    for (std::size_t at = moment_ + 1; at < last; ++at) {
      if (auto found = look(at)) return found;
    }
  }
  return std::nullopt;
}

const RawBlock* Storyteller::block_at(std::uint64_t address) const {
  for (const RawBlock& block : raw_.blocks) {
    if (address - block.address < block.size) return &block;
  }
  return nullptr;
}

std::optional<BlockType> Storyteller::type_of(const RawBlock& block) const {
  if (auto type = symbols_.block_type(block.stack, block.size)) return type;
  for (const RawEvent& event : raw_.events) {
    const bool written = event.action == Action::write && event.value == block.address;
    const bool updated = event.action == Action::update && event.new_value == block.address;
    if (event.size != 8 || (!written && !updated)) continue;
    const auto place = symbols_.variable(event.address, event.size);
    if (!place || !place->pointee) continue;
    if (auto type = Blocks::pointed_at(*place->pointee, block.size)) return type;
  }
  return std::nullopt;
}

/// Blocks of one type are numbered as they were allocated.
void Storyteller::name_blocks() const {
  std::map<std::string, std::size_t> so_far;
  for (const RawBlock& block : raw_.blocks) {
    Block named{type_of(block), {}};
    if (named.type) {
      named.name = fmt::format("{}#{}", named.type->name, ++so_far[named.type->name]);
    } else {
      named.name = fmt::format("heap block {} of {}", block.nth, process_name(block.owner));
      if (const std::string at = place(block.stack); !at.empty()) {
        named.name += fmt::format(" ({})", at);
      }
    }
    blocks_.push_back(std::move(named));
  }
}

const Storyteller::Block& Storyteller::named_block(const RawBlock& block) const {
  if (blocks_.empty()) name_blocks();
  return blocks_[static_cast<std::size_t>(&block - raw_.blocks.data())];
}

/// What it points to: a heap block, a variable, or only an address.
std::string Storyteller::pointer(std::uint64_t value) const {
  if (const RawBlock* block = block_at(value)) {
    const Block& named = named_block(*block);
    if (value == block->address) return named.name;
    if (named.type) return "&" + object(value, 0);
  } else if (const auto place = symbols_.variable(value, 0)) {
    return "&" + place->name;
  }
  return hexadecimal(value);
}

std::optional<NamedPlace> Storyteller::variable(std::uint64_t address, std::uint64_t size) const {
  if (const RawBlock* block = block_at(address)) {
    const Block& named = named_block(*block);
    if (!named.type) return std::nullopt;
    return part_of_block(*named.type, named.name, address - block->address, size);
  }
  for (const RawStack& stack : raw_.stacks) {
    if (address >= stack.low && address < stack.high) return local(address, size);
  }
  return symbols_.variable(address, size);
}

std::string Storyteller::variable_of_race() const {
  const RawEvent& one = raw_.events[0];
  const RawEvent& other = raw_.events[1];
  const RawEvent& named = one.size < other.size ? one : other;
  const std::optional<NamedPlace> place = variable(named.address, named.size);
  if (!place) return {};
  const RawBlock* block = block_at(named.address);
  if (block == nullptr) return place->name;
  const Block& whole = named_block(*block);  // numbers are not the source's
  return whole.type->name + place->name.substr(whole.name.size());
}

std::string Storyteller::race_in_words() const {
  const auto told = [&](const RawEvent& event) {
    const std::string at = place(event.stack);
    return fmt::format("{}{}{}", event.action == Action::write ? "write" : "read",
                       is_atomic(event) ? " atomically" : "", at.empty() ? "" : " at " + at);
  };
  const RawEvent& one = raw_.events[0];
  const RawEvent& other = raw_.events[1];
  const RawEvent& named = one.size < other.size ? one : other;
  std::string first = told(one);
  std::string second = told(other);
  if (second < first) std::swap(first, second);
  return fmt::format("{} ({}, {})", object(named.address, named.size), first, second);
}

std::string Storyteller::object(std::uint64_t address, std::uint64_t size) const {
  if (address == 0) return "null";
  if (const RawBlock* block = block_at(address)) {
    if (const auto part = variable(address, size)) return part->name;
    const std::string whole = named_block(*block).name;
    return address == block->address ? whole
                                     : whole + "+" + std::to_string(address - block->address);
  }
  for (const RawStack& stack : raw_.stacks) {
    if (address < stack.low || address >= stack.high) continue;
    if (const auto variable = local(address, size)) return variable->name;
    return "local of " + process_name(stack.process) + " at -" + hexadecimal(stack.high - address);
  }
  if (const auto variable = symbols_.variable(address, size)) {
    // A mailbox or a mutex is its own address, and has a member for that only (messages.hpp).
    constexpr std::string_view placeholder = ".identity_";
    std::string name = variable->name;
    if (name.ends_with(placeholder)) name.resize(name.size() - placeholder.size());
    return name;
  }
  return hexadecimal(address);
}

std::string Storyteller::value(const RawEvent& event, std::uint64_t value,
                               std::uint64_t high) const {
  const auto half = [&](std::uint64_t address, std::uint64_t size, std::uint64_t number) {
    const std::optional<NamedPlace> place = variable(address, size);
    const bool points = place && place->form == Form::pointer && place->size == size;
    return points && number != 0 ? pointer(number) : format_value(number, size, place);
  };
  if (event.size == 16) {
    return "{" + half(event.address, 8, value) + ", " + half(event.address + 8, 8, high) + "}";
  }
  return half(event.address, event.size, value);
}

void Storyteller::tell_as_of(const RawEvent& event) const {
  const RawEvent* first = raw_.events.data();
  const std::less<> before;
  if (before(&event, first) || !before(&event, first + raw_.events.size())) return;  // not one yet
  moment_ = static_cast<std::size_t>(&event - first);
}

std::string Storyteller::intent(const RawEvent& event) const {
  tell_as_of(event);
  switch (event.action) {
    case Action::read: return "read " + object(event.address, event.size);
    case Action::write: return "write " + object(event.address, event.size);
    case Action::update:
    case Action::update_failed: return "update " + object(event.address, event.size);
    case Action::try_lock: return "try lock " + object(event.address, 0);
    case Action::wake: return "wake";
    case Action::signal: return "signal " + object(event.address, 0);
    case Action::broadcast: return "broadcast " + object(event.address, 0);
    case Action::try_join: return "try to join " + process_name(event.peer);
    case Action::choose: return "choose";
    case Action::message_test: return "test";
    case Action::wait_sent: return "wait for the send to " + object(event.address, 1);
    case Action::wait_received: return "wait to receive from " + object(event.address, 1);
    case Action::exit_program: return "exit the program";
    case Action::failure: return "the failure";
    default: return describe(event);
  }
}

std::string Storyteller::describe(const RawEvent& event) const {
  tell_as_of(event);
  // A mailbox is named by its one byte, so that one of several in an array is told from the others.
  const std::string name = object(event.address, is_message(event.action) ? 1 : event.size);
  switch (event.action) {
    case Action::read:
      if ((event.flags & flag_not_done) != 0) return "read " + name;
      if (!has_value(event)) return "read " + name + sized(event);
      return fmt::format("read {} = {}", name, value(event, event.value, event.high));
    case Action::write:
      if ((event.flags & flag_not_done) != 0) return "write " + name;
      if (!has_value(event)) return "write " + name + sized(event);
      return fmt::format("write {} = {}", name, value(event, event.value, event.high));
    case Action::update:
      return fmt::format("{}: {} -> {}", name, value(event, event.value, event.high),
                         value(event, event.new_value, event.new_high));
    case Action::update_failed:
      if (event.value == event.new_value && event.high == event.new_high) {
        return fmt::format("{} is {}, and the exchange fails without a reason", name,
                           value(event, event.value, event.high));
      }
      return fmt::format("{} is {}, not {}", name, value(event, event.value, event.high),
                         value(event, event.new_value, event.new_high));
    case Action::fence: return order_name(event) + " fence";
    case Action::create:
      return "start " + (event.peer == no_process ? "a thread" : process_name(event.peer));
    case Action::join: return "join " + process_name(event.peer);
    case Action::try_join:
      return "try to join " + process_name(event.peer) +
             (event.value == 1 ? ", when it has ended" : ": it has not ended");
    case Action::exit_process: return "end";
    case Action::lock: return "lock " + name;
    case Action::try_lock: return "try lock " + name + (event.value == 1 ? ": acquired" : ": busy");
    case Action::unlock: return "unlock " + name;
    case Action::wait:
      return fmt::format("wait on {}, releasing {}", name, object(event.second_address, 0));
    case Action::wake:
      return (event.value == 1 ? "wakes up unsignalled" : "woken") +
             (event.second_address == 0 ? std::string()
                                        : ", " + object(event.second_address, 0) + " held again");
    case Action::timed_wait: return "wait on " + name + " for a limited time";
    case Action::read_lock: return "lock " + name + " for reading";
    case Action::spin_lock: return "lock " + name;
    case Action::acquire: return "take from semaphore " + name;
    case Action::post:
      return fmt::format("give to semaphore {}: {} -> {}", name, event.value, event.new_value);
    case Action::look: return fmt::format("semaphore {} has {}", name, event.value);
    case Action::barrier_arrive: return "arrive at barrier " + name;
    case Action::barrier_leave: return "pass barrier " + name;
    case Action::barrier_choose:
      return fmt::format("all are at barrier {}: {} calls its completion function", name,
                         process_name(event.peer));
    case Action::barrier_call: return "call the completion function of barrier " + name;
    case Action::barrier_complete: return "complete the phase of barrier " + name;
    case Action::latch_down:
      return fmt::format("count latch {} down: {} -> {}", name, event.value, event.new_value);
    case Action::latch_pass: return "pass latch " + name;
    case Action::latch_look: return "latch " + name + (event.value == 1 ? " is open" : " is shut");
    case Action::set_up: return "initialise " + name;
    case Action::destroy: return "destroy " + name;
    case Action::leak: return name + " is lost";
    case Action::futex_wait:
      if (event.value == 1) {
        return fmt::format("wait on {}, which is {} as expected", name,
                           value(event, event.high, 0));
      }
      return fmt::format("do not wait on {}: it is {}, not {}", name, value(event, event.high, 0),
                         value(event, event.new_high, 0));
    case Action::futex_wake:
      return event.value == 1 ? "stop to wait on " + name : "woken on " + name;
    case Action::signal:
      if (event.value == 0) return fmt::format("signal {}, nobody waits", name);
      return fmt::format("signal {}, wakes {}", name,
                         process_name(ProcessId{static_cast<std::uint16_t>(event.value - 1)}));
    case Action::broadcast: return "broadcast " + name;
    case Action::choose: return fmt::format("choose {}", event.value);
    case Action::compute: return "loop for ever";
    case Action::static_begin: return "begin static " + name;
    case Action::static_end: return "end static " + name;
    case Action::exit_program: return "exit the program";
    case Action::failure: return failure_;
    case Action::section: return "indivisible section";
    case Action::allocate: return "allocate " + pointer(event.address);
    case Action::release: return "free " + pointer(event.address);
    case Action::spin: return "wait in a loop for a change of " + name;
    case Action::message_send: return "send to " + name;
    case Action::message_receive: return "ask to receive from " + name;
    case Action::message_test:
      if (event.value == 0) return "test: not yet";
      return fmt::format("test: request {} is fulfilled", event.value);
    case Action::wait_sent:
      return fmt::format("sent to {}: {} takes it", name, process_name(event.peer));
    case Action::wait_received: return name;
    case Action::mutex_request: return "ask for " + name;
    case Action::mutex_release: return "unlock " + name;
    case Action::wait_mutex: return "own " + name;
    case Action::semaphore_acquire: return "ask for " + name;
    case Action::semaphore_post: return "post " + name;
    case Action::wait_semaphore: return "acquire " + name;
    case Action::barrier_request: return "arrive at " + name;
    case Action::wait_barrier: return "pass " + name;
    case Action::condition_enqueue: return "queue up at " + name;
    case Action::condition_signal: return "signal " + name;
    case Action::condition_broadcast: return "signal all at " + name;
    case Action::wait_condition: return "woken at " + name;
    case Action::mpi: return event.words;
  }
  return "?";
}

}  // namespace mazurka::threads
