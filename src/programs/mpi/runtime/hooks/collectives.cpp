// Collective operations, each in its blocking and its nonblocking form.
#include <algorithm>

#include "programs/mpi/runtime/hooks/calling.hpp"

namespace {

using mazurka::mpi::Calling;
using mazurka::mpi::Datatype;
using mazurka::mpi::Form;
using mazurka::mpi::in_place;
using mazurka::mpi::moved;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::mpi::Shape;
using mazurka::mpi::Spread;

void check_spread(Calling& calling, const void* buffer, const Spread& spread, MPI_Datatype type) {
  calling.check_each(static_cast<std::size_t>(calling.size()), buffer, spread, type);
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

int barrier(Mpi& mpi, const char* call, MPI_Comm comm, const Form& form) {
  Calling calling(mpi, call, comm, form);
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::barrier);
  return calling.go();
}

int broadcast(Mpi& mpi, const char* call, void* buffer, int count, MPI_Datatype type, int root,
              MPI_Comm comm, const Form& form) {
  Calling calling(mpi, call, comm, form);
  calling.check().root(root);
  const bool is_root = calling.is_root(root);
  const bool is_partner = calling.is_partner(root);
  if (is_root || is_partner) calling.check().buffer(buffer, count, number(type), false);
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::broadcast, root);
  if (is_root) calling.bring(buffer, count, type);
  if (is_partner) calling.want(buffer, count, type, !is_root);
  return calling.go();
}

int gather(Mpi& mpi, const char* call, const void* send, int send_count, MPI_Datatype send_type,
           void* receive, const Spread& spread, MPI_Datatype receive_type, int root, MPI_Comm comm,
           const Form& form) {
  Calling calling(mpi, call, comm, form);
  calling.check().root(root);
  const bool is_root = calling.is_root(root);
  const bool is_partner = calling.is_partner(root);
  const bool there = is_root && is_partner && in_place(send);
  if (is_partner && !there) calling.check().buffer(send, send_count, number(send_type), false);
  if (is_root && !calling.wrong()) check_spread(calling, receive, spread, receive_type);
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::gather, root);
  if (there) {
    calling.bring(moved(receive, calling.layout(receive_type), spread.at(root)), spread.of(root),
                  receive_type);
  } else if (is_partner) {
    calling.bring(send, send_count, send_type);
  }
  if (is_root) want_from_all(calling, receive, spread, receive_type, there);
  return calling.go(!there);
}

int scatter(Mpi& mpi, const char* call, const void* send, const Spread& spread,
            MPI_Datatype send_type, void* receive, int receive_count, MPI_Datatype receive_type,
            int root, MPI_Comm comm, const Form& form) {
  Calling calling(mpi, call, comm, form);
  calling.check().root(root);
  const bool is_root = calling.is_root(root);
  const bool is_partner = calling.is_partner(root);
  const bool there = is_root && is_partner && in_place(receive);
  if (is_partner && !there) {
    calling.check().buffer(receive, receive_count, number(receive_type), false);
  }
  if (is_root && !calling.wrong()) check_spread(calling, send, spread, send_type);
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::scatter, root);
  for (int to = 0; is_root && to < calling.size(); ++to) {
    calling.bring(moved(send, calling.layout(send_type), spread.at(to)), spread.of(to), send_type);
  }
  if (there) {
    calling.want(nullptr, spread.of(root), send_type, false);
  } else if (is_partner) {
    calling.want(receive, receive_count, receive_type);
  }
  return calling.go(!there);
}

int all_gather(Mpi& mpi, const char* call, const void* send, int send_count, MPI_Datatype send_type,
               void* receive, const Spread& spread, MPI_Datatype receive_type, MPI_Comm comm,
               const Form& form) {
  Calling calling(mpi, call, comm, form);
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
  return calling.go(!there);
}

int all_to_all(Mpi& mpi, const char* call, const void* send, const Spread& sent,
               MPI_Datatype send_type, void* receive, const Spread& received,
               MPI_Datatype receive_type, MPI_Comm comm, const Form& form) {
  Calling calling(mpi, call, comm, form);
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
  return calling.go(!there);
}

int all_to_all_w(Mpi& mpi, const char* call, const void* send, const int* send_counts,
                 const int* send_at, const MPI_Datatype* send_types, void* receive,
                 const int* receive_counts, const int* receive_at,
                 const MPI_Datatype* receive_types, MPI_Comm comm, const Form& form) {
  Calling calling(mpi, call, comm, form);
  const bool there = in_place(send);
  const void* const from = there ? receive : send;
  const int* const counts = there ? receive_counts : send_counts;
  const int* const begins = there ? receive_at : send_at;
  const MPI_Datatype* const types = there ? receive_types : send_types;
  for (int with = 0; with < calling.size() && !calling.wrong(); ++with) {
    calling.check()
        .buffer(from, counts[with], number(types[with]), false)
        .buffer(receive, receive_counts[with], number(receive_types[with]), false);
  }
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::all_to_all);
  for (int with = 0; with < calling.size(); ++with) {
    calling.bring(static_cast<const std::byte*>(from) + begins[with], counts[with], types[with]);
    calling.want(static_cast<std::byte*>(receive) + receive_at[with], receive_counts[with],
                 receive_types[with]);
  }
  return calling.go(!there);
}

int reduce(Mpi& mpi, const char* call, Shape shape, const void* send, void* receive, int count,
           MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, const Form& form) {
  Calling calling(mpi, call, comm, form);
  const bool has_root = shape == Shape::reduce;
  if (has_root) calling.check().root(root);
  if (shape == Shape::scan || shape == Shape::exclusive_scan) calling.check().one_group();
  const bool gives = !has_root || calling.is_partner(root);
  const bool gets = !has_root || calling.is_root(root);
  const void* const from = in_place(send) && gets ? receive : send;
  if (gives) calling.check().buffer(from, count, number(type), false);
  if (gets) calling.check().buffer(receive, count, number(type), false);
  if (gives || gets) calling.check().op(number(op), number(type));
  if (calling.wrong()) return calling.failed();
  calling.begin(shape, has_root ? root : -1);
  if (gives) calling.bring(from, count, type);
  if (gives || gets) calling.combine(op, type);
  if (gets) calling.want(receive, count, type);
  return calling.go(!in_place(send));
}

// Between two groups, each gets what the other has brought, spread over its own ranks.
int reduce_scatter(Mpi& mpi, const char* call, const void* send, void* receive,
                   const Spread& spread, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   const Form& form) {
  Calling calling(mpi, call, comm, form);
  calling.check().that(!calling.is_between() || !in_place(send), MPI_ERR_BUFFER,
                       "MPI_IN_PLACE can not be used between two groups");
  const int size = calling.own_size();
  std::int64_t total = 0;
  for (int rank = 0; rank < size; ++rank) {
    calling.check().that(spread.of(rank) >= 0, MPI_ERR_COUNT, "a count is negative");
    total += spread.of(rank);
  }
  const void* const from = in_place(send) ? receive : send;
  calling.check().buffer(from, total, number(type), false).op(number(op), number(type));
  if (calling.wrong()) return calling.failed();
  calling.begin(Shape::reduce_scatter);
  calling.bring(from, total, type);
  calling.combine(op, type);
  for (int rank = 0; rank < size; ++rank) calling.tell(spread.of(rank));
  calling.want(receive, spread.of(calling.rank()), type);
  return calling.go(!in_place(send));
}

}  // namespace

MAZURKA_COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), barrier(mpi, call, comm, form))
MAZURKA_COLLECTIVE(Bcast, Ibcast,
                   (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
                   broadcast(mpi, call, buffer, count, type, root, comm, form))
MAZURKA_COLLECTIVE(Gather, Igather,
                   (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                    int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),
                   gather(mpi, call, send, send_count, send_type, receive,
                          {receive_count, nullptr, nullptr}, receive_type, root, comm, form))
MAZURKA_COLLECTIVE(Gatherv, Igatherv,
                   (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                    const int receive_counts[], const int displacements[],
                    MPI_Datatype receive_type, int root, MPI_Comm comm),
                   gather(mpi, call, send, send_count, send_type, receive,
                          {0, receive_counts, displacements}, receive_type, root, comm, form))
MAZURKA_COLLECTIVE(Scatter, Iscatter,
                   (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                    int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),
                   scatter(mpi, call, send, {send_count, nullptr, nullptr}, send_type, receive,
                           receive_count, receive_type, root, comm, form))
MAZURKA_COLLECTIVE(Scatterv, Iscatterv,
                   (const void* send, const int send_counts[], const int displacements[],
                    MPI_Datatype send_type, void* receive, int receive_count,
                    MPI_Datatype receive_type, int root, MPI_Comm comm),
                   scatter(mpi, call, send, {0, send_counts, displacements}, send_type, receive,
                           receive_count, receive_type, root, comm, form))
MAZURKA_COLLECTIVE(Allgather, Iallgather,
                   (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                    int receive_count, MPI_Datatype receive_type, MPI_Comm comm),
                   all_gather(mpi, call, send, send_count, send_type, receive,
                              {receive_count, nullptr, nullptr}, receive_type, comm, form))
MAZURKA_COLLECTIVE(Allgatherv, Iallgatherv,
                   (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                    const int receive_counts[], const int displacements[],
                    MPI_Datatype receive_type, MPI_Comm comm),
                   all_gather(mpi, call, send, send_count, send_type, receive,
                              {0, receive_counts, displacements}, receive_type, comm, form))
MAZURKA_COLLECTIVE(Alltoall, Ialltoall,
                   (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                    int receive_count, MPI_Datatype receive_type, MPI_Comm comm),
                   all_to_all(mpi, call, send, {send_count, nullptr, nullptr}, send_type, receive,
                              {receive_count, nullptr, nullptr}, receive_type, comm, form))
MAZURKA_COLLECTIVE(Alltoallv, Ialltoallv,
                   (const void* send, const int send_counts[], const int send_displacements[],
                    MPI_Datatype send_type, void* receive, const int receive_counts[],
                    const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm),
                   all_to_all(mpi, call, send, {0, send_counts, send_displacements}, send_type,
                              receive, {0, receive_counts, receive_displacements}, receive_type,
                              comm, form))
MAZURKA_COLLECTIVE(Alltoallw, Ialltoallw,
                   (const void* send, const int send_counts[], const int send_displacements[],
                    const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                    const int receive_displacements[], const MPI_Datatype receive_types[],
                    MPI_Comm comm),
                   all_to_all_w(mpi, call, send, send_counts, send_displacements, send_types,
                                receive, receive_counts, receive_displacements, receive_types, comm,
                                form))
MAZURKA_COLLECTIVE(Reduce, Ireduce,
                   (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                    int root, MPI_Comm comm),
                   reduce(mpi, call, Shape::reduce, send, receive, count, type, op, root, comm,
                          form))
MAZURKA_COLLECTIVE(Allreduce, Iallreduce,
                   (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm),
                   reduce(mpi, call, Shape::all_reduce, send, receive, count, type, op, -1, comm,
                          form))
MAZURKA_COLLECTIVE(Scan, Iscan,
                   (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm),
                   reduce(mpi, call, Shape::scan, send, receive, count, type, op, -1, comm, form))
MAZURKA_COLLECTIVE(Exscan, Iexscan,
                   (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm),
                   reduce(mpi, call, Shape::exclusive_scan, send, receive, count, type, op, -1,
                          comm, form))
MAZURKA_COLLECTIVE(Reduce_scatter, Ireduce_scatter,
                   (const void* send, void* receive, const int receive_counts[], MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm),
                   reduce_scatter(mpi, call, send, receive, {0, receive_counts, nullptr}, type, op,
                                  comm, form))
MAZURKA_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
                   (const void* send, void* receive, int receive_count, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm),
                   reduce_scatter(mpi, call, send, receive, {receive_count, nullptr, nullptr}, type,
                                  op, comm, form))
