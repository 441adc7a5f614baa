// Data races: which accesses are looked at, which races are reported, and which the user accepts.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "host/protocol.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {
using namespace host;

class Races : public Part {
 public:
  explicit Races(Scheduler& scheduler) : Part(scheduler) {}
  static constexpr std::uintptr_t granule = 8;

  void check(std::uintptr_t address, std::size_t size, AccessKind kind, const void* code) {
    if (!looks()) return;
    if (scheduler_.judges_races()) [[unlikely]] {
      judge(address, size, kind, code);
      note_use(address, size, kind, code, false);
    } else if (!state_.races.access(self().id, self().knowledge.now, address, size, kind))
        [[unlikely]] {
      report(address, size, kind, code);
    } else if (!state_.races.repeated() || self().watch.lists_uses()) {
      note_use(address, size, kind, code, state_.races.repeated());
    }
    if (state_.tracking) [[unlikely]]
      be_firm(address, size, kind);
  }
  /// A primitive that the program uses.
  void use_primitive(const void* address, const void* code);
  /// A primitive is initialised or destroyed: nobody else may use it at the same time.
  void own_primitive(const void* address, const void* code);

  /// One place stands for more (thread_memory.hpp), for what is at `object` among others. False:
  /// nothing orders this access to it after an earlier one, and that is certain.
  [[nodiscard]] bool in_order(std::uintptr_t place, std::size_t size, AccessKind kind,
                              std::uintptr_t object);

  /// Uses something that is not in memory (surroundings/outside_uses.hpp). `key`: tells it from
  /// others.
  void use_outside(const std::string& what, Use use, std::uint64_t key);
  /// `open`: what nothing orders with an earlier use, or empty.
  void judge_outside(std::string open, std::uint64_t key, Use use);

  /// The process begins, and knows what its creator does.
  void begin(const Process& process);

  // Annotations (hooks/annotations.cpp): what the current process has done so far comes before
  // what others do after they have learnt from the same object.
  void pass_on(const void* object);
  void learn_from(const void* object);
  void tolerate(std::uintptr_t address, std::size_t size) {
    state_.tolerated.push_back({address, size});
    learned_.grounds.interacted = true;  // or there would be nothing to tolerate
  }

  /// Where to ask which races are accepted.
  void ask_at(int socket, std::vector<RawModule> modules) {
    socket_ = socket;
    modules_ = std::move(modules);
  }
  /// Nothing, if nobody is there to answer.
  [[nodiscard]] RaceAnswer ask(RaceQuestion& question);
  [[nodiscard]] StackNumbers& stack_numbers() { return stack_numbers_; }
  /// Whether there is an accepted race.
  [[nodiscard]] bool is_exposed(std::uintptr_t address, std::size_t size) const {
    return !learned_.exposed.empty() && has_exposed(address, size);
  }

 private:
  /// What decides whether a race is accepted: the stacks of both, and what they meet at, as a
  /// stack that has made it and a place in it.
  struct PairOfAccesses {
    std::array<std::uint32_t, 2> stacks;
    std::array<AccessKind, 2> kinds;
    std::uint32_t made_by;
    std::uintptr_t place;
    std::size_t size;
    // NOLINTNEXTLINE(modernize-use-nullptr): a mistake about what this is made of
    friend auto operator<=>(const PairOfAccesses&, const PairOfAccesses&) = default;
  };

  [[nodiscard]] bool looks() const { return request_.checks.races && self().ignored == 0; }
  [[nodiscard]] bool has_exposed(std::uintptr_t address, std::size_t size) const;
  void report(std::uintptr_t address, std::size_t size, AccessKind kind, const void* code);
  /// For rounds that are left out (contention.hpp). `known`: told before.
  void note_use(std::uintptr_t address, std::size_t size, AccessKind kind, const void* code,
                bool known);
  [[nodiscard]] std::uint64_t others_at_it();
  /// What the accesses of this execution say must go for those that are not explored because they
  /// lead to the same states.
  void be_firm(std::uintptr_t address, std::size_t size, AccessKind kind);
  [[nodiscard]] bool is_firm(std::uintptr_t address, std::size_t size, AccessKind kind);
  [[noreturn]] void keep_orders(RawObject object);
  [[noreturn]] void keep_orders_of(std::uintptr_t address, std::size_t size);
  void mark_racing(std::uintptr_t address, std::size_t size, AccessKind kind);
  [[nodiscard]] bool is_tolerated(std::uintptr_t address, std::size_t size) const;
  /// Whether the access of the other process was one of another rank of MPI.
  [[nodiscard]] bool is_between_ranks(ProcessId other) const;
  void judge(std::uintptr_t address, std::size_t size, AccessKind kind, const void* code,
             bool primitive = false);
  void report_pair(const NotedAccess& earlier, const NotedAccess& later, const void* code);
  [[nodiscard]] PairOfAccesses pair_of(const NotedAccess& earlier, const NotedAccess& later);
  [[nodiscard]] const RaceAnswer& answer_about(const NotedAccess& earlier,
                                               const NotedAccess& later);
  [[nodiscard]] RaceAnswer ask_about(const NotedAccess& earlier, const NotedAccess& later);
  void record_owner(std::uintptr_t address);
  void note_accepted(const RaceAnswer& answer);
  void expose(const NotedAccess& one, const NotedAccess& other);

  struct Others {
    ProcessId process = no_process;
    std::uint64_t moment = 0;
    std::size_t begun = 0;
    std::uint64_t mask = 0;
  };
  Others others_;
  StackNumbers stack_numbers_;
  int socket_ = -1;
  std::vector<RawModule> modules_;
  std::map<PairOfAccesses, RaceAnswer> answers_;
};

}  // namespace mazurka::threads
