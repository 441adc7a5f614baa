// Graphs of ranks.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Arrangement;
using mazurka::mpi::Check;
using mazurka::mpi::Collective;
using mazurka::mpi::Communicator;
using mazurka::mpi::edge_to;
using mazurka::mpi::key_of;
using mazurka::mpi::Mpi;
using mazurka::mpi::Neighbours;
using mazurka::mpi::number;

using Numbers = std::vector<std::int64_t>;

Check checked(Mpi& mpi, const char* call, MPI_Comm comm, Arrangement kind) {
  Check check = mpi.checks.check(call, number(comm));
  check.communicator();
  if (check.failed() == 0) {
    check.that(mpi.communicators.of(number(comm)).arrangement == kind, MPI_ERR_TOPOLOGY,
               "the communicator is no such graph");
  }
  return check;
}

bool is_weighted(const int* weights) {
  return weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY;
}

void check_ranks(Check& check, int count, const int* ranks, int size) {
  check.that(count >= 0, MPI_ERR_ARG, "a number of neighbours is negative");
  for (int nth = 0; nth < count && check.failed() == 0; ++nth) {
    check.that(ranks[nth] >= 0 && ranks[nth] < size, MPI_ERR_RANK,
               "the neighbour " + std::to_string(ranks[nth]) + " is no rank of the communicator");
  }
}

/// All ranks have the handle of the graph that they have described together.
MPI_Comm add(Mpi& mpi, MPI_Comm comm, const Collective& made, Arrangement kind,
             std::vector<Neighbours> graph) {
  Communicator fresh;
  const std::vector<int>& all = mpi.communicators.of(number(comm)).members;
  fresh.members.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(graph.size()));
  fresh.arrangement = kind;
  fresh.graph = std::move(graph);
  fresh.key = key_of(made, 0);
  fresh.name = "a graph of " + mpi.communicators.of(number(comm)).name;
  return reinterpret_cast<MPI_Comm>(mpi.communicators.add(std::move(fresh)));
}

/// A list of numbers as it is brought: how many, and then they.
void put(Numbers& numbers, int count, const int* values) {
  numbers.push_back(count);
  numbers.insert(numbers.end(), values, values + count);
}
std::vector<int> take(const Numbers& numbers, std::size_t& at) {
  const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(at) + 1;
  const auto count = static_cast<std::ptrdiff_t>(numbers[at]);
  at += static_cast<std::size_t>(count) + 1;
  return {begin, begin + count};
}

/// A source that knows nothing of the edge; negative: there is none.
int rank_of_lost_edge(const Communicator& graph) {
  for (int rank = 0; rank < static_cast<int>(graph.members.size()); ++rank) {
    const auto& sources = graph.graph[static_cast<std::size_t>(rank)].sources;
    for (int nth = 0; nth < static_cast<int>(sources.size()); ++nth) {
      if (edge_to(graph, rank, nth).part < 0) return rank;
    }
  }
  return -1;
}

void copy(const std::vector<int>& from, int max, int* to) {
  std::copy_n(from.begin(), std::min(from.size(), static_cast<std::size_t>(max)), to);
}

}  // namespace

MAZURKA_MPI_HOOK(int, Graph_create, MPI_Comm comm, int nodes, const int index[], const int edges[],
                 int, MPI_Comm* result) {
  MAZURKA_ENTER(Graph_create);
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().one_group();
  if (check.failed() != 0) return check.failed();
  check.that(nodes >= 0 && nodes <= mpi.checks.partners_of_communicator(number(comm)), MPI_ERR_ARG,
             "the graph has more nodes than there are ranks");
  for (int node = 0; node < nodes && check.failed() == 0; ++node) {
    check.that(index[node] >= (node == 0 ? 0 : index[node - 1]), MPI_ERR_ARG,
               "the numbers of edges decrease");
  }
  if (check.failed() == 0) check_ranks(check, nodes == 0 ? 0 : index[nodes - 1], edges, nodes);
  if (check.failed() != 0) return check.failed();
  const Collective& made = mpi.communicators.construct(call, number(comm), {});
  *result = MPI_COMM_NULL;
  if (mpi.communicators.rank(number(comm)) >= nodes) return MPI_SUCCESS;
  std::vector<Neighbours> graph(static_cast<std::size_t>(nodes));
  for (int node = 0; node < nodes; ++node) {
    Neighbours& around = graph[static_cast<std::size_t>(node)];
    around.destinations.assign(edges + (node == 0 ? 0 : index[node - 1]), edges + index[node]);
    around.sources = around.destinations;
  }
  *result = add(mpi, comm, made, Arrangement::graph, std::move(graph));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Graphdims_get, MPI_Comm comm, int* nodes, int* edges) {
  MAZURKA_ENTER(Graphdims_get);
  Check check = checked(mpi, call, comm, Arrangement::graph);
  if (check.failed() != 0) return check.failed();
  const auto& graph = mpi.communicators.of(number(comm)).graph;
  *nodes = static_cast<int>(graph.size());
  *edges = 0;
  for (const Neighbours& one : graph) *edges += static_cast<int>(one.destinations.size());
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Graph_get, MPI_Comm comm, int max_index, int max_edges, int index[],
                 int edges[]) {
  MAZURKA_ENTER(Graph_get);
  Check check = checked(mpi, call, comm, Arrangement::graph);
  if (check.failed() != 0) return check.failed();
  const auto& graph = mpi.communicators.of(number(comm)).graph;
  int total = 0;
  for (int node = 0; node < static_cast<int>(graph.size()); ++node) {
    for (const int edge : graph[static_cast<std::size_t>(node)].destinations) {
      if (total < max_edges) edges[total] = edge;
      ++total;
    }
    if (node < max_index) index[node] = total;
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Graph_neighbors_count, MPI_Comm comm, int rank, int* count) {
  MAZURKA_ENTER(Graph_neighbors_count);
  Check check = checked(mpi, call, comm, Arrangement::graph);
  if (check.failed() == 0) check.destination(rank);
  if (check.failed() != 0) return check.failed();
  const auto& graph = mpi.communicators.of(number(comm)).graph;
  *count = static_cast<int>(graph[static_cast<std::size_t>(rank)].destinations.size());
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Graph_neighbors, MPI_Comm comm, int rank, int max, int neighbors[]) {
  MAZURKA_ENTER(Graph_neighbors);
  Check check = checked(mpi, call, comm, Arrangement::graph);
  if (check.failed() == 0) check.destination(rank);
  if (check.failed() != 0) return check.failed();
  const auto& graph = mpi.communicators.of(number(comm)).graph;
  copy(graph[static_cast<std::size_t>(rank)].destinations, max, neighbors);
  return MPI_SUCCESS;
}

MAZURKA_MPI_HOOK(int, Dist_graph_create_adjacent, MPI_Comm comm, int indegree, const int sources[],
                 const int* source_weights, int outdegree, const int destinations[],
                 const int* destination_weights, MPI_Info, int, MPI_Comm* result) {
  MAZURKA_ENTER(Dist_graph_create_adjacent);
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().one_group();
  if (check.failed() != 0) return check.failed();
  const int size = mpi.checks.partners_of_communicator(number(comm));
  check_ranks(check, indegree, sources, size);
  check_ranks(check, outdegree, destinations, size);
  if (check.failed() != 0) return check.failed();
  {
    Numbers& numbers = mpi.collectives.draft().numbers;
    put(numbers, indegree, sources);
    put(numbers, outdegree, destinations);
    put(numbers, is_weighted(source_weights) ? indegree : 0, source_weights);
    put(numbers, is_weighted(destination_weights) ? outdegree : 0, destination_weights);
  }
  const auto place = static_cast<std::uint32_t>(mpi.checks.number_of_communicator(number(comm)));
  const Collective& made = mpi.communicators.construct_at(call, place);
  int lost = -1;
  {
    std::vector<Neighbours> graph;
    for (const auto& arrival : made.arrivals) {
      std::size_t at = 0;
      Neighbours around;
      around.sources = take(arrival.numbers, at);
      around.destinations = take(arrival.numbers, at);
      around.source_weights = take(arrival.numbers, at);
      around.destination_weights = take(arrival.numbers, at);
      graph.push_back(std::move(around));
    }
    *result = add(mpi, comm, made, Arrangement::distributed, std::move(graph));
    lost = rank_of_lost_edge(mpi.communicators.of(number(*result)));
  }
  check.that(lost < 0, MPI_ERR_TOPOLOGY,
             "a source of rank " + std::to_string(lost) + " does not name it as a destination");
  return check.failed();
}
MAZURKA_MPI_HOOK(int, Dist_graph_create, MPI_Comm comm, int count, const int sources[],
                 const int degrees[], const int destinations[], const int* weights, MPI_Info, int,
                 MPI_Comm* result) {
  MAZURKA_ENTER(Dist_graph_create);
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().one_group();
  if (check.failed() != 0) return check.failed();
  const int size = mpi.checks.partners_of_communicator(number(comm));
  check_ranks(check, count, sources, size);
  int total = 0;
  for (int nth = 0; nth < count && check.failed() == 0; ++nth) {
    check.that(degrees[nth] >= 0, MPI_ERR_ARG, "a number of neighbours is negative");
    total += degrees[nth];
  }
  if (check.failed() == 0) check_ranks(check, total, destinations, size);
  if (check.failed() != 0) return check.failed();
  {
    Numbers& numbers = mpi.collectives.draft().numbers;
    put(numbers, count, sources);
    put(numbers, count, degrees);
    put(numbers, total, destinations);
    put(numbers, is_weighted(weights) ? total : 0, weights);
  }
  const auto place = static_cast<std::uint32_t>(mpi.checks.number_of_communicator(number(comm)));
  const Collective& made = mpi.communicators.construct_at(call, place);
  std::vector<Neighbours> graph(static_cast<std::size_t>(size));
  for (const auto& arrival : made.arrivals) {
    std::size_t at = 0;
    const std::vector<int> from = take(arrival.numbers, at);
    const std::vector<int> many = take(arrival.numbers, at);
    const std::vector<int> to = take(arrival.numbers, at);
    const std::vector<int> heavy = take(arrival.numbers, at);
    std::size_t edge = 0;
    for (std::size_t nth = 0; nth < from.size(); ++nth) {
      for (int left = many[nth]; left > 0; --left, ++edge) {
        Neighbours& source = graph[static_cast<std::size_t>(from[nth])];
        Neighbours& destination = graph[static_cast<std::size_t>(to[edge])];
        source.destinations.push_back(to[edge]);
        destination.sources.push_back(from[nth]);
        if (heavy.empty()) continue;
        source.destination_weights.push_back(heavy[edge]);
        destination.source_weights.push_back(heavy[edge]);
      }
    }
  }
  *result = add(mpi, comm, made, Arrangement::distributed, std::move(graph));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Dist_graph_neighbors_count, MPI_Comm comm, int* indegree, int* outdegree,
                 int* weighted) {
  MAZURKA_ENTER(Dist_graph_neighbors_count);
  Check check = checked(mpi, call, comm, Arrangement::distributed);
  if (check.failed() != 0) return check.failed();
  const Neighbours around =
      neighbours_of(mpi.communicators.of(number(comm)), mpi.communicators.rank(number(comm)));
  *indegree = static_cast<int>(around.sources.size());
  *outdegree = static_cast<int>(around.destinations.size());
  *weighted = around.source_weights.empty() && around.destination_weights.empty() ? 0 : 1;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Dist_graph_neighbors, MPI_Comm comm, int max_in, int sources[],
                 int* source_weights, int max_out, int destinations[], int* destination_weights) {
  MAZURKA_ENTER(Dist_graph_neighbors);
  Check check = checked(mpi, call, comm, Arrangement::distributed);
  if (check.failed() != 0) return check.failed();
  const Neighbours around =
      neighbours_of(mpi.communicators.of(number(comm)), mpi.communicators.rank(number(comm)));
  copy(around.sources, max_in, sources);
  copy(around.destinations, max_out, destinations);
  if (is_weighted(source_weights)) copy(around.source_weights, max_in, source_weights);
  if (is_weighted(destination_weights)) {
    copy(around.destination_weights, max_out, destination_weights);
  }
  return MPI_SUCCESS;
}
