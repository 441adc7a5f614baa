// MPI as the hooks see it: its parts, and beginning and end.
//
// Functions of the parts take handles as numbers and answer with an error class, 0 if all went
// well. What is wrong with arguments is a finding, unless the program has asked for errors to be
// returned.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/mpi/runtime/checks.hpp"
#include "programs/mpi/runtime/collectives.hpp"
#include "programs/mpi/runtime/communicators.hpp"
#include "programs/mpi/runtime/completion.hpp"
#include "programs/mpi/runtime/epoch_waits.hpp"
#include "programs/mpi/runtime/epochs.hpp"
#include "programs/mpi/runtime/hints.hpp"
#include "programs/mpi/runtime/mpi_part.hpp"
#include "programs/mpi/runtime/one_sided.hpp"
#include "programs/mpi/runtime/point_to_point.hpp"
#include "programs/mpi/runtime/requests.hpp"
#include "programs/mpi/runtime/transfers.hpp"
#include "programs/mpi/runtime/updates.hpp"
#include "programs/mpi/runtime/windows.hpp"
#include "programs/threads/runtime/ranks.hpp"

namespace mazurka::mpi {

class Mpi : public MpiPart, public threads::Ranks {
 public:
  Mpi(Scheduler& scheduler, Accesses& accesses, std::uint8_t first_kind,
      threads::SpinRecognition& spins)
      : MpiPart({scheduler, accesses, first_kind}),
        checks(context_),
        transfers(context_, completion),
        completion(context_, transfers, collectives, spins),
        collectives(context_, completion),
        requests(context_, checks, completion),
        communicators(context_, checks, collectives, requests),
        messages(context_, {checks, transfers, completion, requests, communicators}),
        windows(context_, checks, communicators),
        epoch_waits(context_, completion, requests, windows),
        updates(context_, transfers, epoch_waits, spins),
        epochs(context_, {checks, communicators, completion, windows, epoch_waits, updates, spins}),
        one_sided(context_, {checks, requests, completion, windows, epochs, updates, spins}) {}

  int init(const char* call, int level);
  int finalize();
  [[noreturn]] void abort(int code);
  [[nodiscard]] World make_world(std::size_t ranks) const override;
  void perform(ProcessId agent) override;
  void end_of_rank() override;
  void report_leftovers() override;
  [[nodiscard]] const char* call_under_way() const override { return world_.calls[self().id]; }
  [[nodiscard]] std::string near_misses(ProcessId process) const override {
    return mpi::near_misses(world_, process);
  }
  [[nodiscard]] ProcessId waited_for(ProcessId process) const override {
    return mpi::waited_for(world_, process);
  }

  [[nodiscard]] Rank& own_rank() const { return own(); }
  [[nodiscard]] World& world() const { return world_; }
  using MpiPart::stack_if_recording;
  /// Tells of an access on the program's behalf.
  void touch(const void* buffer, const Datatype& type, std::uint64_t count, bool write) {
    tell_access(buffer, type, count, write);
  }
  [[noreturn]] void refuse(const char* what) { scheduler_.unsupported(what); }

 private:
  void report_leaks();
  void report_window_leaks();
  void report_leak(const std::string& what, const std::vector<std::uint64_t>& stack);

 public:
  Checks checks;
  Transfers transfers;
  Completion completion;
  Collectives collectives;
  Requests requests;
  Communicators communicators;
  PointToPoint messages;
  Windows windows;
  EpochWaits epoch_waits;
  Updates updates;
  Epochs epochs;
  OneSided one_sided;
};

}  // namespace mazurka::mpi
