// Message passing on fibers: what mazurka/messages.hpp calls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "programs/messages/independence.hpp"
#include "programs/threads/runtime/part.hpp"
#include "programs/threads/runtime/threads.hpp"

namespace mazurka::threads {

/// A request is named by its process and a number.
class Messages : public Part {
 public:
  Messages(Scheduler& scheduler, Threads& threads, std::uint8_t first_kind)
      : Part(scheduler), threads_(threads), first_kind_(first_kind) {}

  std::uint64_t request(int call, std::uintptr_t address, std::uint64_t payload,
                        std::uint32_t parameter);
  void change(int call, std::uintptr_t address);
  int test(std::span<const std::uint64_t> names);
  void wait(std::uint64_t name);
  int wait_any(std::span<const std::uint64_t> names);
  std::uint64_t payload(std::uint64_t name);
  std::uint64_t latest_request(std::uintptr_t mutex);

  /// Before anyone moves: nobody can, perhaps only because somebody picked the wrong one.
  void excuse_wrong_picks();
  /// After an execution that everybody lived to see the end of: what was left behind.
  void report_leftovers();

 private:
  MessageRequest& own_request(std::uint64_t name);
  std::vector<ProcessId> fulfilled_by(messages::Change change, ObjectId object,
                                      const messages::Ticket* released);
  ObjectId object_at(messages::Kind kind, std::uintptr_t address);
  std::uint32_t commit_change(messages::Change change, Action action, std::uintptr_t address,
                              ObjectId object, const messages::Ticket* released);
  void publish(std::uint32_t event, ObjectId object, messages::Change change);
  void learn(const MessageRequest& request);
  void wait_for_request(const MessageRequest& request);

  Threads& threads_;
  std::uint8_t first_kind_;
  std::vector<Access> scratch_;
};

}  // namespace mazurka::threads
