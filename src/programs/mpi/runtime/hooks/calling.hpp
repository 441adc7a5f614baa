// One call of a collective operation: what the rank brings to it, where it wants what others bring,
// and in which of its forms it is called.
#pragma once

#include <cstdint>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace mazurka::mpi {

[[nodiscard]] inline bool in_place(const void* buffer) { return buffer == MPI_IN_PLACE; }

/// So many values further on.
[[nodiscard]] inline const void* moved(const void* buffer, const Datatype& layout,
                                       std::int64_t values) {
  return static_cast<const std::byte*>(buffer) + values * layout.extent;
}

/// The form of the call: it waits, or there is a request, or that is only described.
struct Form {
  MPI_Request* request = nullptr;
  bool persistent = false;
};

/// As many values for each rank, one after the other; or as counts and displacements say.
struct Spread {
  int count = 0;
  const int* counts = nullptr;
  const int* displacements = nullptr;
  [[nodiscard]] int of(int rank) const { return counts == nullptr ? count : counts[rank]; }
  [[nodiscard]] std::int64_t at(int rank) const {
    return displacements == nullptr ? std::int64_t{count} * rank : displacements[rank];
  }
};

class Calling {
 public:
  Calling(Mpi& mpi, const char* call, MPI_Comm comm, const Form& form)
      : mpi_(mpi),
        call_(call),
        comm_(number(comm)),
        form_(form),
        check_(mpi.checks.check(call, comm_)) {
    check_.communicator();
    if (check_.failed() == 0) {
      size_ = mpi.checks.partners_of_communicator(comm_);
      rank_ = mpi.communicators.rank(comm_);
      between_ = mpi.checks.is_between(comm_);
    }
  }

  Check& check() { return check_; }
  [[nodiscard]] bool wrong() const { return check_.failed() != 0; }
  [[nodiscard]] int failed() const { return check_.failed(); }
  /// So many the rank deals with: between two groups, those of the other one.
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int rank() const { return rank_; }
  /// So many are in its own group.
  [[nodiscard]] int own_size() const {
    if (wrong()) return 0;
    return static_cast<int>(mpi_.communicators.of(comm_).group_of(place()).size());
  }
  [[nodiscard]] bool is_between() const { return between_; }
  /// Between two groups, the root names itself, others of its group name nobody, and its partners
  /// are all of the other group.
  [[nodiscard]] bool is_root(int root) const { return between_ ? root == MPI_ROOT : root == rank_; }
  [[nodiscard]] bool is_partner(int root) const { return !between_ || root >= 0; }

  void begin(Shape shape, int root = -1) {
    arrival_ = &mpi_.collectives.draft();
    arrival_->shape = shape;
    arrival_->root = root < 0 ? root : mpi_.communicators.of(comm_).place_of_peer(place(), root);
    if (between_ && root == MPI_ROOT) arrival_->root = place();
    if (between_ && root == MPI_PROC_NULL) arrival_->root = no_root;
  }
  void bring(const void* buffer, std::int64_t count, MPI_Datatype type) {
    const EngineScope scope;
    const Datatype& layout = mpi_.checks.layout(number(type));
    const auto values = static_cast<std::uint64_t>(count);
    arrival_->signatures.push_back(signature_of(layout, values));
    arrival_->sources.push_back({const_cast<void*>(buffer), values, layout});
    if (form_.persistent) return;
    mpi_.touch(buffer, layout, values, false);
    arrival_->data.push_back(pack(buffer, layout, values));
  }
  /// A piece of the buffer for each of so many.
  void check_each(std::size_t many, const void* buffer, const Spread& spread, MPI_Datatype type) {
    for (int nth = 0; nth < static_cast<int>(many) && !wrong(); ++nth) {
      check_.buffer(buffer, spread.of(nth), number(type), false);
    }
  }
  /// `there`: false if what would come is where it belongs already.
  void want(void* buffer, std::int64_t count, MPI_Datatype type, bool there = true) {
    const EngineScope scope;
    arrival_->places.push_back({there ? buffer : nullptr, static_cast<std::uint64_t>(count),
                                mpi_.checks.layout(number(type))});
  }
  void combine(MPI_Op op, MPI_Datatype type) {
    const EngineScope scope;
    arrival_->op = number(op);
    arrival_->type = number(type);
    arrival_->layout = mpi_.checks.layout(number(type));
  }
  void tell(std::int64_t value) {
    const EngineScope scope;
    arrival_->numbers.push_back(value);
  }
  /// `apart`: nothing is where it belongs already.
  int go(bool apart = true) {
    const EngineScope scope;
    check_.that(!apart || !overlaps_itself(*arrival_), MPI_ERR_BUFFER,
                "the buffers of what is sent and received overlap");
    check_.that(!receives_twice(*arrival_), MPI_ERR_BUFFER,
                "the places that values are received at overlap");
    if (wrong()) return failed();
    auto* const request = reinterpret_cast<std::uint64_t*>(form_.request);
    if (!form_.persistent) return mpi_.communicators.collective(call_, comm_, request);
    mpi_.communicators.plan(call_, comm_, request);
    return MPI_SUCCESS;
  }
  [[nodiscard]] const Datatype& layout(MPI_Datatype type) const {
    return mpi_.checks.layout(number(type));
  }

 private:
  [[nodiscard]] int place() const { return mpi_.communicators.place(comm_); }

  Mpi& mpi_;
  const char* call_;
  std::uint64_t comm_;
  Form form_;
  Check check_;
  int size_ = 0;
  int rank_ = 0;
  bool between_ = false;
  Arrival* arrival_ = nullptr;
};

}  // namespace mazurka::mpi

/// Defines the three forms of a collective operation; `body` has a `form`.
#define MAZURKA_COLLECTIVE(blocking, nonblocking, parameters, body)                         \
  MAZURKA_MPI_HOOK(int, blocking, MAZURKA_PARAMETERS parameters) {                          \
    MAZURKA_ENTER(blocking);                                                                \
    const mazurka::mpi::Form form;                                                          \
    return body;                                                                            \
  }                                                                                         \
  MAZURKA_MPI_HOOK(int, nonblocking, MAZURKA_PARAMETERS parameters, MPI_Request* request) { \
    MAZURKA_ENTER(nonblocking);                                                             \
    mazurka::mpi::require_place(mpi, call, request);                                        \
    const mazurka::mpi::Form form{request, false};                                          \
    return body;                                                                            \
  }                                                                                         \
  MAZURKA_MPI_HOOK(int, blocking##_init, MAZURKA_PARAMETERS parameters, MPI_Info,           \
                   MPI_Request* request) {                                                  \
    MAZURKA_ENTER(blocking##_init);                                                         \
    const mazurka::mpi::Form form{request, true};                                           \
    return body;                                                                            \
  }
#define MAZURKA_PARAMETERS(...) __VA_ARGS__
