// Notices that a process goes round in circles. The idea is in spin_recognition.cpp.
#pragma once

#include <cstdint>
#include <utility>

#include "programs/threads/runtime/loops/repeated_sites.hpp"
#include "programs/threads/runtime/loops/spin_watch.hpp"
#include "programs/threads/runtime/machine/snapshot.hpp"
#include "programs/threads/runtime/machine/stacks.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

struct AtomicResult;
struct CallSite;
class Twins;

class SpinRecognition : public Part {
 public:
  SpinRecognition(Scheduler& scheduler, Twins& twins, const ThreadLocals& thread_locals,
                  Stacks& stacks)
      : Part(scheduler), twins_(twins), thread_locals_(thread_locals), stacks_(stacks) {}

  /// The process comes to an operation that a waiting loop may consist of: takes it out of this
  /// execution if it goes round in circles. Only from hooks that note their call site. `what`: the
  /// operation, as a number. `operands`: what it works with, if that may be in no register that
  /// outlives the call.
  void arrive(std::uintptr_t what, std::uint64_t operands = 0);
  /// `releases`: how many locks the operation is going to release.
  [[nodiscard]] bool goes_round(std::uintptr_t what, std::uint64_t operands,
                                std::uint32_t releases);
  /// The process finds that something does not hold which it may assume: it stops here for good.
  void give_up();
  /// The process is in an endless loop that does nothing: it has ended, as far as others can tell.
  /// `assumes`: that is how it says that an assumption does not hold.
  [[noreturn]] void idle(bool assumes);

  // What the process does between its operations.
  void watch_read(std::uintptr_t address, std::size_t size);
  /// The same of an atomic operation, which has seen this, or something older than what is there.
  void watch_seen(std::uintptr_t address, std::size_t size, const AtomicResult& result, bool older);
  void watch_object(ObjectId object);
  void watch_end(ProcessId other);
  void watch_passing(ObjectId object, std::uint16_t wish);
  /// It has set these bits, or cleared them, which changed nothing.
  void watch_bits(std::uintptr_t address, std::size_t size, std::uint64_t bits, bool set);
  void watch_write(std::uintptr_t address, std::size_t size);
  void visit_stack(std::uintptr_t address, std::size_t size, bool write);
  void look_at_plain_loop(std::uintptr_t address);
  /// A lock was found held by this process. It could have been another way, had the holder not held
  /// it then: a round of a waiting loop in which it did can not be left out. But if both hold
  /// something and give way to each other, that may go on for ever.
  void notice_holder(ProcessId holder);

  /// Before anyone else moves.
  void settle() {
    if (!state_.visited.empty()) settle_visits();
    if (state_.spinning != 0) settle_spinning();
  }
  [[nodiscard]] const RepeatedSites& sites() const { return sites_; }
  /// The execution was given up, and is to be performed once more.
  [[nodiscard]] bool must_perform_again() { return std::exchange(must_perform_again_, false); }

 private:
  [[nodiscard]] SpinWatch::Place place_at(const CallSite& site, std::uintptr_t what,
                                          std::uint64_t operands) const;
  void take_down_state(SpinWatch::Place& here, const CallSite& site);
  [[nodiscard]] bool takes_down_states_at(std::uintptr_t code) const;
  [[noreturn]] void perform_again_with_states(std::size_t place);
  [[nodiscard]] bool tries_again(SpinWatch::Place& here, const CallSite& site);
  [[nodiscard]] bool leaves_out_round(SpinWatch::Place& there, const SpinWatch::Place& here,
                                      std::uint32_t releases);
  [[nodiscard]] bool is_granted(std::size_t begin, std::size_t end);
  void leave_out(std::size_t begin, std::size_t end);
  void keep_reads_of_round(const SpinWatch::Place& there);
  [[nodiscard]] bool was_changed_by_itself(const SpinWatch::Read& read) const;
  void spin_for_ever();
  [[nodiscard]] std::uint64_t value_now(const SpinWatch::Read& read) const;
  [[nodiscard]] bool spins_for_ever(const Process& process) const;
  void settle_visits();
  void settle_spinning();

  Twins& twins_;
  const ThreadLocals& thread_locals_;
  Stacks& stacks_;
  RepeatedSites sites_;
  bool must_perform_again_ = false;
};

}  // namespace mazurka::threads
