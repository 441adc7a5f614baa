// Requests come to their ends: waits, tests, and what the rank finds then.
//
// A wait is a step that touches nothing: it can only come after what completes its requests, which
// are its causes. A test depends on whatever could complete the requests that it asks about. Data
// arrives in the rank's memory when the rank learns that it has: no rank writes into another.
#pragma once

#include <span>
#include <vector>

#include "programs/mpi/runtime/mpi_part.hpp"

namespace mazurka::threads {
class SpinRecognition;
}

namespace mazurka::mpi {

class Collectives;
class Transfers;

class Completion : public MpiPart {
 public:
  Completion(const Context& context, Transfers& transfers, Collectives& collectives,
             threads::SpinRecognition& spins)
      : MpiPart(context), transfers_(transfers), collectives_(collectives), spins_(spins) {}

  // --- told by others ---------------------------------------------------------------------------
  /// The operation is complete, because of these events.
  void complete(RequestRef ref, std::span<const std::uint32_t> causes);
  /// The same of a probe.
  void found(ReceiveId receive, std::span<const std::uint32_t> causes);
  /// A call goes on with one of its requests.
  void picked(std::uint32_t pick, std::uint32_t event);

  // --- steps of the current process -------------------------------------------------------------
  /// Waits until all of them are complete. They stay what they are: see finish().
  void wait_for(std::span<const RequestRef> refs, const char* call);
  void wait_for_probe(ReceiveId probe, const char* call);
  /// Waits until one of them is, and answers which.
  std::size_t wait_for_one(std::span<const RequestRef> refs, const char* call);

  enum class Asks : std::uint8_t { one, all, some };
  /// Which are complete: all or none (all), one if any is (one), whichever are (some).
  std::vector<std::size_t> test(std::span<const RequestRef> refs, Asks asks, const char* call);
  /// Looks for a message that fits, without waiting.
  MessageId look(const Pattern& pattern, const char* call) { return look(pattern, call, nullptr); }
  /// The same, and takes it, for a receive of its own (Improbe); none: there is no message.
  ReceiveId look_and_take(const Pattern& pattern, const char* call) {
    ReceiveId taken = no_receive;
    (void)look(pattern, call, &taken);
    return taken;
  }

  /// Withdraws the receive if it has not been matched.
  void cancel(RequestRef ref, const char* call);
  /// The rank learns that its request is complete: data arrives, what is wrong is found. The
  /// request is gone then, unless it is persistent.
  Result finish(RequestRef ref);
  /// The same for one that the program may still wait for, or test: it finds that nothing is left.
  Result finish_but_keep(RequestRef ref);
  /// The current process knows what the sender did.
  void learn(MessageId message);

 private:
  MessageId look(const Pattern& pattern, const char* call, ReceiveId* taken);
  void announce_look(const Pattern& pattern, bool takes);
  [[nodiscard]] bool is_complete(const Waiting& waiting) const;
  void wake_waiting();
  void gather_causes(const Waiting& waiting);
  void park_until_complete(const char* call);
  void add_tested(RequestRef ref);
  void commit_question(std::uint16_t choices);
  [[nodiscard]] std::uint64_t value_of(ObjectId object) const;
  void take_message(const Request& request, Result& result);
  /// The class of an error that is returned to the program.
  [[nodiscard]] int check_fit(const Request& request, MessageId message);
  [[nodiscard]] std::string waiting_words(const char* call);
  [[nodiscard]] std::string one_waiting_in_words(const Request& request) const;

  Transfers& transfers_;
  Collectives& collectives_;
  threads::SpinRecognition& spins_;
  std::vector<Access> scratch_;
  std::vector<std::uint32_t> causes_;
};

}  // namespace mazurka::mpi
