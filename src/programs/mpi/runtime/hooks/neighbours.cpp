// Collective operations in which a rank deals with its neighbours in a grid or a graph.
#include "programs/mpi/runtime/hooks/calling.hpp"

namespace {

using mazurka::mpi::Arrangement;
using mazurka::mpi::Calling;
using mazurka::mpi::Datatype;
using mazurka::mpi::Form;
using mazurka::mpi::moved;
using mazurka::mpi::Mpi;
using mazurka::mpi::Neighbours;
using mazurka::mpi::neighbours_of;
using mazurka::mpi::number;
using mazurka::mpi::outside;
using mazurka::mpi::Shape;
using mazurka::mpi::Spread;

void require_neighbours(Mpi& mpi, Calling& calling, MPI_Comm comm) {
  if (calling.wrong()) return;
  calling.check().that(mpi.communicators.of(number(comm)).arrangement != Arrangement::none,
                       MPI_ERR_TOPOLOGY, "the communicator is neither a grid nor a graph");
}

Neighbours neighbours(Mpi& mpi, const Calling& calling, MPI_Comm comm) {
  return neighbours_of(mpi.communicators.of(number(comm)), calling.rank());
}

void want_from_sources(Calling& calling, const Neighbours& neighbours, void* buffer,
                       const Spread& spread, MPI_Datatype type) {
  const Datatype& layout = calling.layout(type);
  for (std::size_t nth = 0; nth < neighbours.sources.size(); ++nth) {
    const auto place = static_cast<int>(nth);
    calling.want(const_cast<void*>(moved(buffer, layout, spread.at(place))), spread.of(place), type,
                 neighbours.sources[nth] != outside);
  }
}

int gather(Mpi& mpi, const char* call, const void* send, int send_count, MPI_Datatype send_type,
           void* receive, const Spread& spread, MPI_Datatype receive_type, MPI_Comm comm,
           const Form& form) {
  Calling calling(mpi, call, comm, form);
  require_neighbours(mpi, calling, comm);
  calling.check().buffer(send, send_count, number(send_type), false);
  {
    if (calling.wrong()) return calling.failed();
    const Neighbours around = neighbours(mpi, calling, comm);
    calling.check_each(around.sources.size(), receive, spread, receive_type);
    if (calling.wrong()) return calling.failed();
    calling.begin(Shape::neighbours);
    calling.bring(send, send_count, send_type);
    want_from_sources(calling, around, receive, spread, receive_type);
  }
  return calling.go();
}

int exchange(Mpi& mpi, const char* call, const void* send, const Spread& sent,
             MPI_Datatype send_type, void* receive, const Spread& received,
             MPI_Datatype receive_type, MPI_Comm comm, const Form& form) {
  Calling calling(mpi, call, comm, form);
  require_neighbours(mpi, calling, comm);
  {
    if (calling.wrong()) return calling.failed();
    const Neighbours around = neighbours(mpi, calling, comm);
    calling.check_each(around.destinations.size(), send, sent, send_type);
    calling.check_each(around.sources.size(), receive, received, receive_type);
    if (calling.wrong()) return calling.failed();
    calling.begin(Shape::neighbours);
    for (std::size_t nth = 0; nth < around.destinations.size(); ++nth) {
      const auto to = static_cast<int>(nth);
      calling.bring(moved(send, calling.layout(send_type), sent.at(to)), sent.of(to), send_type);
    }
    want_from_sources(calling, around, receive, received, receive_type);
  }
  return calling.go();
}

int exchange_w(Mpi& mpi, const char* call, const void* send, const int* send_counts,
               const MPI_Aint* send_at, const MPI_Datatype* send_types, void* receive,
               const int* receive_counts, const MPI_Aint* receive_at,
               const MPI_Datatype* receive_types, MPI_Comm comm, const Form& form) {
  Calling calling(mpi, call, comm, form);
  require_neighbours(mpi, calling, comm);
  {
    if (calling.wrong()) return calling.failed();
    const Neighbours around = neighbours(mpi, calling, comm);
    const std::size_t to = around.destinations.size();
    const std::size_t from = around.sources.size();
    for (std::size_t nth = 0; nth < to && !calling.wrong(); ++nth) {
      calling.check().buffer(send, send_counts[nth], number(send_types[nth]), false);
    }
    for (std::size_t nth = 0; nth < from && !calling.wrong(); ++nth) {
      calling.check().buffer(receive, receive_counts[nth], number(receive_types[nth]), false);
    }
    if (calling.wrong()) return calling.failed();
    calling.begin(Shape::neighbours);
    for (std::size_t nth = 0; nth < to; ++nth) {
      calling.bring(static_cast<const std::byte*>(send) + send_at[nth], send_counts[nth],
                    send_types[nth]);
    }
    for (std::size_t nth = 0; nth < from; ++nth) {
      calling.want(static_cast<std::byte*>(receive) + receive_at[nth], receive_counts[nth],
                   receive_types[nth], around.sources[nth] != outside);
    }
  }
  return calling.go();
}

}  // namespace

MAZURKA_COLLECTIVE(Neighbor_allgather, Ineighbor_allgather,
                   (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                    int receive_count, MPI_Datatype receive_type, MPI_Comm comm),
                   gather(mpi, call, send, send_count, send_type, receive,
                          {receive_count, nullptr, nullptr}, receive_type, comm, form))
MAZURKA_COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv,
                   (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                    const int receive_counts[], const int displacements[],
                    MPI_Datatype receive_type, MPI_Comm comm),
                   gather(mpi, call, send, send_count, send_type, receive,
                          {0, receive_counts, displacements}, receive_type, comm, form))
MAZURKA_COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall,
                   (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                    int receive_count, MPI_Datatype receive_type, MPI_Comm comm),
                   exchange(mpi, call, send, {send_count, nullptr, nullptr}, send_type, receive,
                            {receive_count, nullptr, nullptr}, receive_type, comm, form))
MAZURKA_COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv,
                   (const void* send, const int send_counts[], const int send_displacements[],
                    MPI_Datatype send_type, void* receive, const int receive_counts[],
                    const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm),
                   exchange(mpi, call, send, {0, send_counts, send_displacements}, send_type,
                            receive, {0, receive_counts, receive_displacements}, receive_type, comm,
                            form))
MAZURKA_COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw,
                   (const void* send, const int send_counts[], const MPI_Aint send_displacements[],
                    const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                    const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[],
                    MPI_Comm comm),
                   exchange_w(mpi, call, send, send_counts, send_displacements, send_types, receive,
                              receive_counts, receive_displacements, receive_types, comm, form))
