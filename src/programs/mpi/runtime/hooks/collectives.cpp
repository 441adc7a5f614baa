// Collective operations, each in its blocking and its nonblocking form.
#include <algorithm>

#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Arrival;
using mazurka::mpi::Check;
using mazurka::mpi::Datatype;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::mpi::Shape;
using mazurka::threads::EngineScope;

bool in_place(const void* buffer) { return buffer == MPI_IN_PLACE; }

const void* moved(const void* buffer, const Datatype& layout, std::int64_t values) {
  return static_cast<const std::byte*>(buffer) + values * layout.extent;
}

/// One call: what the rank brings to it, and where it wants what others bring.
class Calling {
 public:
  Calling(Mpi& mpi, const char* call, MPI_Comm comm)
      : mpi_(mpi), call_(call), comm_(number(comm)), check_(mpi.checks.check(call, comm_)) {
    check_.communicator();
    if (check_.failed() == 0) {
      size_ = static_cast<int>(mpi.communicators.of(comm_).members.size());
      rank_ = mpi.communicators.rank(comm_);
    }
  }

  Check& check() { return check_; }
  [[nodiscard]] bool wrong() const { return check_.failed() != 0; }
  [[nodiscard]] int failed() const { return check_.failed(); }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int rank() const { return rank_; }

  void begin(Shape shape, int root = -1) {
    arrival_ = &mpi_.collectives.draft();
    arrival_->shape = shape;
    arrival_->root = root;
  }
  void bring(const void* buffer, std::int64_t count, MPI_Datatype type) {
    const EngineScope scope;
    const Datatype& layout = mpi_.checks.layout(number(type));
    const auto values = static_cast<std::uint64_t>(count);
    mpi_.touch(buffer, layout, values, false);
    arrival_->data.push_back(mazurka::mpi::pack(buffer, layout, values));
    arrival_->signatures.push_back(mazurka::mpi::signature_of(layout, values));
    arrival_->sources.push_back({const_cast<void*>(buffer), values, layout});
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
  int go(MPI_Request* request, bool apart = true) {
    const EngineScope scope;
    check_.that(!apart || !mazurka::mpi::overlaps_itself(*arrival_), MPI_ERR_BUFFER,
                "the buffers of what is sent and received overlap");
    if (wrong()) return failed();
    return mpi_.communicators.collective(call_, comm_, reinterpret_cast<std::uint64_t*>(request));
  }
  [[nodiscard]] const Datatype& layout(MPI_Datatype type) const {
    return mpi_.checks.layout(number(type));
  }

 private:
  Mpi& mpi_;
  const char* call_;
  std::uint64_t comm_;
  Check check_;
  int size_ = 0;
  int rank_ = 0;
  Arrival* arrival_ = nullptr;
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

void check_spread(Calling& calling, const void* buffer, const Spread& spread, MPI_Datatype type) {
  for (int rank = 0; rank < calling.size(); ++rank) {
    calling.check().buffer(buffer, spread.of(rank), number(type), false);
    if (calling.wrong()) return;
  }
}

void want_from_all(Calling& calling, void* buffer, const Spread& spread, MPI_Datatype type,
                   bool own_is_there) {
  const Datatype& layout = calling.layout(type);
  for (int from = 0; from < calling.size(); ++from) {
    const bool moves = !(own_is_there && from == calling.rank());
    calling.want(const_cast<void*>(moved(buffer, layout, spread.at(from))), spread.of(from), type,
                 moves);
  }
}

int barrier(Mpi& mpi, const char* call, MPI_Comm comm, MPI_Request* request) {
  Calling calling(mpi, call, comm);
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::barrier);
  return calling.go(request);
}

int broadcast(Mpi& mpi, const char* call, void* buffer, int count, MPI_Datatype type, int root,
              MPI_Comm comm, MPI_Request* request) {
  Calling calling(mpi, call, comm);
  calling.check().root(root).buffer(buffer, count, number(type), false);
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::broadcast, root);
  if (calling.rank() == root) calling.bring(buffer, count, type);
  calling.want(buffer, count, type, calling.rank() != root);
  return calling.go(request);
}

int gather(Mpi& mpi, const char* call, const void* send, int send_count, MPI_Datatype send_type,
           void* receive, const Spread& spread, MPI_Datatype receive_type, int root, MPI_Comm comm,
           MPI_Request* request) {
  Calling calling(mpi, call, comm);
  calling.check().root(root);
  const bool is_root = calling.rank() == root;
  const bool there = is_root && in_place(send);
  if (!there) calling.check().buffer(send, send_count, number(send_type), false);
  if (is_root && !calling.wrong()) check_spread(calling, receive, spread, receive_type);
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::gather, root);
  if (there) {
    calling.bring(moved(receive, calling.layout(receive_type), spread.at(root)), spread.of(root),
                  receive_type);
  } else {
    calling.bring(send, send_count, send_type);
  }
  if (is_root) want_from_all(calling, receive, spread, receive_type, there);
  return calling.go(request, !there);
}

int scatter(Mpi& mpi, const char* call, const void* send, const Spread& spread,
            MPI_Datatype send_type, void* receive, int receive_count, MPI_Datatype receive_type,
            int root, MPI_Comm comm, MPI_Request* request) {
  Calling calling(mpi, call, comm);
  calling.check().root(root);
  const bool is_root = calling.rank() == root;
  const bool there = is_root && in_place(receive);
  if (!there) calling.check().buffer(receive, receive_count, number(receive_type), false);
  if (is_root && !calling.wrong()) check_spread(calling, send, spread, send_type);
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::scatter, root);
  for (int to = 0; is_root && to < calling.size(); ++to) {
    calling.bring(moved(send, calling.layout(send_type), spread.at(to)), spread.of(to), send_type);
  }
  if (there) {
    calling.want(nullptr, spread.of(root), send_type, false);
  } else {
    calling.want(receive, receive_count, receive_type);
  }
  return calling.go(request, !there);
}

int all_gather(Mpi& mpi, const char* call, const void* send, int send_count, MPI_Datatype send_type,
               void* receive, const Spread& spread, MPI_Datatype receive_type, MPI_Comm comm,
               MPI_Request* request) {
  Calling calling(mpi, call, comm);
  const bool there = in_place(send);
  if (!there) calling.check().buffer(send, send_count, number(send_type), false);
  if (!calling.wrong()) check_spread(calling, receive, spread, receive_type);
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::all_gather);
  if (there) {
    calling.bring(moved(receive, calling.layout(receive_type), spread.at(calling.rank())),
                  spread.of(calling.rank()), receive_type);
  } else {
    calling.bring(send, send_count, send_type);
  }
  want_from_all(calling, receive, spread, receive_type, there);
  return calling.go(request, !there);
}

int all_to_all(Mpi& mpi, const char* call, const void* send, const Spread& sent,
               MPI_Datatype send_type, void* receive, const Spread& received,
               MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  Calling calling(mpi, call, comm);
  const bool there = in_place(send);
  const void* const from = there ? receive : send;
  const Spread& spread = there ? received : sent;
  const MPI_Datatype type = there ? receive_type : send_type;
  if (!calling.wrong()) check_spread(calling, from, spread, type);
  if (!calling.wrong()) check_spread(calling, receive, received, receive_type);
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::all_to_all);
  for (int to = 0; to < calling.size(); ++to) {
    calling.bring(moved(from, calling.layout(type), spread.at(to)), spread.of(to), type);
  }
  want_from_all(calling, receive, received, receive_type, false);
  return calling.go(request, !there);
}

int all_to_all_w(Mpi& mpi, const char* call, const void* send, const int* send_counts,
                 const int* send_at, const MPI_Datatype* send_types, void* receive,
                 const int* receive_counts, const int* receive_at,
                 const MPI_Datatype* receive_types, MPI_Comm comm, MPI_Request* request) {
  Calling calling(mpi, call, comm);
  if (in_place(send)) mpi.refuse("MPI_Alltoallw with MPI_IN_PLACE");
  for (int with = 0; with < calling.size() && !calling.wrong(); ++with) {
    calling.check()
        .buffer(send, send_counts[with], number(send_types[with]), false)
        .buffer(receive, receive_counts[with], number(receive_types[with]), false);
  }
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::all_to_all);
  for (int with = 0; with < calling.size(); ++with) {
    calling.bring(static_cast<const std::byte*>(send) + send_at[with], send_counts[with],
                  send_types[with]);
    calling.want(static_cast<std::byte*>(receive) + receive_at[with], receive_counts[with],
                 receive_types[with]);
  }
  return calling.go(request);
}

int reduce(Mpi& mpi, const char* call, Shape shape, const void* send, void* receive, int count,
           MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, MPI_Request* request) {
  Calling calling(mpi, call, comm);
  if (root >= 0 || shape == Shape::reduce) calling.check().root(root);
  const bool gets = shape != Shape::reduce || calling.rank() == root;
  const void* const from = in_place(send) && gets ? receive : send;
  calling.check().buffer(from, count, number(type), false);
  if (gets) calling.check().buffer(receive, count, number(type), false);
  calling.check().op(number(op), number(type));
  if (calling.wrong()) return calling.failed();
  calling.begin(shape, shape == Shape::reduce ? root : -1);
  calling.bring(from, count, type);
  calling.combine(op, type);
  if (gets) calling.want(receive, count, type);
  return calling.go(request, !in_place(send));
}

int reduce_scatter(Mpi& mpi, const char* call, const void* send, void* receive,
                   const Spread& spread, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  Calling calling(mpi, call, comm);
  std::int64_t total = 0;
  for (int rank = 0; rank < calling.size(); ++rank) {
    calling.check().that(spread.of(rank) >= 0, MPI_ERR_COUNT, "a count is negative");
    total += spread.of(rank);
  }
  const void* const from = in_place(send) ? receive : send;
  calling.check().buffer(from, total, number(type), false).op(number(op), number(type));
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::reduce_scatter);
  calling.bring(from, total, type);
  calling.combine(op, type);
  for (int rank = 0; rank < calling.size(); ++rank) calling.tell(spread.of(rank));
  calling.want(receive, spread.of(calling.rank()), type);
  return calling.go(request, !in_place(send));
}

}  // namespace

// The blocking form has no request.
#define MAZURKA_BOTH(blocking, nonblocking, parameters, body) \
  MAZURKA_BLOCKING(blocking, parameters, body)                \
  MAZURKA_NONBLOCKING(nonblocking, parameters, body)
#define MAZURKA_PARAMETERS(...) __VA_ARGS__
#define MAZURKA_BLOCKING(name, parameters, body)               \
  MAZURKA_MPI_HOOK(int, name, MAZURKA_PARAMETERS parameters) { \
    MAZURKA_ENTER(name);                                       \
    MPI_Request* const request = nullptr;                      \
    return body;                                               \
  }
#define MAZURKA_NONBLOCKING(name, parameters, body)                                  \
  MAZURKA_MPI_HOOK(int, name, MAZURKA_PARAMETERS parameters, MPI_Request* request) { \
    MAZURKA_ENTER(name);                                                             \
    return body;                                                                     \
  }

MAZURKA_BOTH(Barrier, Ibarrier, (MPI_Comm comm), barrier(mpi, call, comm, request))
MAZURKA_BOTH(Bcast, Ibcast, (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
             broadcast(mpi, call, buffer, count, type, root, comm, request))
MAZURKA_BOTH(Gather, Igather,
             (const void* send, int send_count, MPI_Datatype send_type, void* receive,
              int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),
             gather(mpi, call, send, send_count, send_type, receive,
                    {receive_count, nullptr, nullptr}, receive_type, root, comm, request))
MAZURKA_BOTH(Gatherv, Igatherv,
             (const void* send, int send_count, MPI_Datatype send_type, void* receive,
              const int receive_counts[], const int displacements[], MPI_Datatype receive_type,
              int root, MPI_Comm comm),
             gather(mpi, call, send, send_count, send_type, receive,
                    {0, receive_counts, displacements}, receive_type, root, comm, request))
MAZURKA_BOTH(Scatter, Iscatter,
             (const void* send, int send_count, MPI_Datatype send_type, void* receive,
              int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),
             scatter(mpi, call, send, {send_count, nullptr, nullptr}, send_type, receive,
                     receive_count, receive_type, root, comm, request))
MAZURKA_BOTH(Scatterv, Iscatterv,
             (const void* send, const int send_counts[], const int displacements[],
              MPI_Datatype send_type, void* receive, int receive_count, MPI_Datatype receive_type,
              int root, MPI_Comm comm),
             scatter(mpi, call, send, {0, send_counts, displacements}, send_type, receive,
                     receive_count, receive_type, root, comm, request))
MAZURKA_BOTH(Allgather, Iallgather,
             (const void* send, int send_count, MPI_Datatype send_type, void* receive,
              int receive_count, MPI_Datatype receive_type, MPI_Comm comm),
             all_gather(mpi, call, send, send_count, send_type, receive,
                        {receive_count, nullptr, nullptr}, receive_type, comm, request))
MAZURKA_BOTH(Allgatherv, Iallgatherv,
             (const void* send, int send_count, MPI_Datatype send_type, void* receive,
              const int receive_counts[], const int displacements[], MPI_Datatype receive_type,
              MPI_Comm comm),
             all_gather(mpi, call, send, send_count, send_type, receive,
                        {0, receive_counts, displacements}, receive_type, comm, request))
MAZURKA_BOTH(Alltoall, Ialltoall,
             (const void* send, int send_count, MPI_Datatype send_type, void* receive,
              int receive_count, MPI_Datatype receive_type, MPI_Comm comm),
             all_to_all(mpi, call, send, {send_count, nullptr, nullptr}, send_type, receive,
                        {receive_count, nullptr, nullptr}, receive_type, comm, request))
MAZURKA_BOTH(Alltoallv, Ialltoallv,
             (const void* send, const int send_counts[], const int send_displacements[],
              MPI_Datatype send_type, void* receive, const int receive_counts[],
              const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm),
             all_to_all(mpi, call, send, {0, send_counts, send_displacements}, send_type, receive,
                        {0, receive_counts, receive_displacements}, receive_type, comm, request))
MAZURKA_BOTH(Alltoallw, Ialltoallw,
             (const void* send, const int send_counts[], const int send_displacements[],
              const MPI_Datatype send_types[], void* receive, const int receive_counts[],
              const int receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm),
             all_to_all_w(mpi, call, send, send_counts, send_displacements, send_types, receive,
                          receive_counts, receive_displacements, receive_types, comm, request))
MAZURKA_BOTH(Reduce, Ireduce,
             (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
              MPI_Comm comm),
             reduce(mpi, call, Shape::reduce, send, receive, count, type, op, root, comm, request))
MAZURKA_BOTH(Allreduce, Iallreduce,
             (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm),
             reduce(mpi, call, Shape::all_reduce, send, receive, count, type, op, -1, comm,
                    request))
MAZURKA_BOTH(Scan, Iscan,
             (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm),
             reduce(mpi, call, Shape::scan, send, receive, count, type, op, -1, comm, request))
MAZURKA_BOTH(Exscan, Iexscan,
             (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm),
             reduce(mpi, call, Shape::exclusive_scan, send, receive, count, type, op, -1, comm,
                    request))
MAZURKA_BOTH(Reduce_scatter, Ireduce_scatter,
             (const void* send, void* receive, const int receive_counts[], MPI_Datatype type,
              MPI_Op op, MPI_Comm comm),
             reduce_scatter(mpi, call, send, receive, {0, receive_counts, nullptr}, type, op, comm,
                            request))
MAZURKA_BOTH(Reduce_scatter_block, Ireduce_scatter_block,
             (const void* send, void* receive, int receive_count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm),
             reduce_scatter(mpi, call, send, receive, {receive_count, nullptr, nullptr}, type, op,
                            comm, request))
