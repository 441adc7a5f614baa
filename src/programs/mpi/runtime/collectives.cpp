#include "programs/mpi/runtime/collectives.hpp"

#include <algorithm>
#include <array>

#include "core/check.hpp"
#include "programs/mpi/operations.hpp"
#include "programs/mpi/runtime/completion.hpp"
#include "programs/mpi/runtime/handles.hpp"

namespace mazurka::mpi {

namespace {

std::vector<Piece> pieces_of(const std::vector<Place>& places) {
  std::vector<Piece> all;
  for (const Place& one : places) {
    if (one.buffer == nullptr) continue;
    for_each_piece(one.layout, one.count, [&](std::int64_t offset, std::size_t bytes) {
      const std::uintptr_t begin =
          threads::address_of(one.buffer) + static_cast<std::uintptr_t>(offset);
      all.push_back({begin, begin + bytes});
    });
  }
  return all;
}

}  // namespace

bool overlaps_itself(const Arrival& arrival) {
  return overlap(pieces_of(arrival.sources), pieces_of(arrival.places));
}

// Neighbours may well be the same rank, and of what is combined nothing is said: there only the
// parts alone are looked at, or nothing.
bool receives_twice(const Arrival& arrival) {
  switch (arrival.shape) {
    case Shape::neighbours:
      return std::any_of(arrival.places.begin(), arrival.places.end(), [](const Place& one) {
        return one.buffer != nullptr && overlaps_itself(one.layout, one.count);
      });
    case Shape::broadcast:
    case Shape::scatter:
    case Shape::gather:
    case Shape::all_gather:
    case Shape::all_to_all: break;
    default: return false;
  }
  std::vector<Piece> all = pieces_of(arrival.places);
  std::sort(all.begin(), all.end(),
            [](const Piece& one, const Piece& other) { return one.begin < other.begin; });
  return std::adjacent_find(all.begin(), all.end(), [](const Piece& one, const Piece& next) {
           return next.begin < one.end;
         }) != all.end();
}

std::uint32_t Collectives::collective(CommunicatorKey key, std::uint32_t nth) {
  for (std::size_t at = world_.collectives.size(); at-- > 0;) {
    const Collective& one = world_.collectives[at];
    if (one.communicator == key && one.nth == nth) return static_cast<std::uint32_t>(at);
  }
  Collective fresh;
  fresh.communicator = key;
  fresh.nth = nth;
  fresh.object = object(Kind::collective, key, nth, 1);
  fresh.arrivals.resize(communicator(key).members.size());
  world_.collectives.push_back(std::move(fresh));
  return static_cast<std::uint32_t>(world_.collectives.size() - 1);
}

// Which of a rank's threads comes next is a step of its own.
void Collectives::take_turn(RequestRef ref) {
  if (!has_threads()) return;
  const ObjectId turns = turns_of(at(ref).communicator);
  const std::array<Access, 1> accesses{access(turns, Kind::queue, queue_mode::post)};
  if (recording()) note_words(at(ref).call);
  park({accesses, no_process, false}, true);
  if (recording()) record_words(std::string(at(ref).call) + ": the next of its rank");
  commit();
  changed(turns);
}

void Collectives::arrive(RequestRef ref, std::uint32_t handle) {
  take_turn(ref);
  CommunicatorHandle& held = own().communicators[handle];
  const std::uint32_t number = collective(at(ref).communicator, held.collectives++);
  at(ref).collective = number;
  const std::array<Access, 1> accesses{
      access(world_.collectives[number].object, Kind::collective, collective_mode::arrive)};
  if (recording()) note_words(at(ref).call);
  meet_others();
  park({accesses, no_process, false}, true);
  const auto words = [&] {
    const Communicator& group = communicator(at(ref).communicator);
    return std::string(at(ref).call) + (group.name == "MPI_COMM_WORLD" ? "" : " in " + group.name);
  };
  if (recording()) record_words(words());
  const auto event = static_cast<std::uint32_t>(run().position());
  commit();
  Collective& one = world_.collectives[number];
  const int rank = rank_in(communicator(one.communicator), ref.rank);
  Arrival& arrival = one.arrivals[static_cast<std::size_t>(rank)];
  MAZURKA_CHECK(!arrival.here && one.arrived < one.arrivals.size(),
                "a rank comes to a collective operation once");
  arrival = std::move(world_.drafts[self().id]);
  arrival.here = true;
  arrival.event = event;
  arrival.call = at(ref).call;
  arrival.knowledge.assign(self().knowledge.now);
  if (recording()) arrival.stack = self().stack;
  self().knowledge.now.tick(self().id);
  ++one.arrived;
  changed(one.object);
  require_same(one, static_cast<std::size_t>(rank));
  complete_those_that_can(number);
}

// Whether the rank can not go on before the other has arrived.
bool Collectives::needs(const Collective& one, std::size_t rank, std::size_t other) const {
  if (request_.checks.collectives != host::CollectiveWaits::loose || rank == other) return true;
  return needs_data(one, rank, other);
}

bool Collectives::needs_data(const Collective& one, std::size_t rank, std::size_t other) const {
  const Arrival& own_arrival = one.arrivals[rank];
  const auto root = static_cast<std::size_t>(own_arrival.root);
  switch (own_arrival.shape) {
    case Shape::broadcast:
    case Shape::scatter: return other == root;
    case Shape::gather:
    case Shape::reduce: return rank == root;
    case Shape::scan:
    case Shape::exclusive_scan: return other < rank;
    case Shape::neighbours: {
      const Communicator& all = communicator(one.communicator);
      const std::vector<int> sources = neighbours_of(all, static_cast<int>(rank)).sources;
      return std::find(sources.begin(), sources.end(), static_cast<int>(other)) != sources.end();
    }
    default: return true;
  }
}

void Collectives::complete_those_that_can(std::uint32_t number) {
  std::vector<std::uint32_t> causes;
  const std::size_t size = world_.collectives[number].arrivals.size();
  for (std::size_t rank = 0; rank < size; ++rank) {
    const Collective& one = world_.collectives[number];
    if (!one.arrivals[rank].here || one.arrivals[rank].left) continue;
    causes.clear();
    bool can = true;
    for (std::size_t other = 0; can && other < size; ++other) {
      if (!needs(one, rank, other)) continue;
      can = one.arrivals[other].here;
      causes.push_back(one.arrivals[other].event);
    }
    if (!can) continue;
    MAZURKA_CHECK(rank < communicator(one.communicator).members.size(), "who arrives is a member");
    const auto member = static_cast<std::size_t>(communicator(one.communicator).members[rank]);
    List<Request>& requests = world_.ranks[member].requests;
    for (std::uint32_t at_number = 0; at_number < requests.size(); ++at_number) {
      const Request& request = requests[at_number];
      if (request.kind != RequestKind::collective || request.collective != number ||
          request.complete || !request.active) {
        continue;
      }
      completion_.complete({static_cast<std::int32_t>(member), at_number}, causes);
    }
  }
}

// --- do they mean the same? ----------------------------------------------------------------------

void Collectives::mismatch(const Collective& one, std::size_t rank, std::size_t other,
                           const std::string& what) {
  const Communicator& group = communicator(one.communicator);
  std::string message =
      std::string(one.arrivals[rank].call) + ": rank " + std::to_string(group.members[rank]) +
      " and rank " + std::to_string(group.members[other]) + " " + what +
      ", in collective operation " + std::to_string(one.nth + 1) + " of " + group.name;
  fail(FindingKind::misuse, std::move(message),
       "collective " + std::string(one.arrivals[rank].call) + " " + std::to_string(one.nth));
}

void Collectives::require_same(const Collective& one, std::size_t rank) {
  const Arrival& own_arrival = one.arrivals[rank];
  for (std::size_t other = 0; other < one.arrivals.size(); ++other) {
    const Arrival& there = one.arrivals[other];
    if (!there.here || other == rank) continue;
    if (std::string_view(there.call) != own_arrival.call) {
      mismatch(one, rank, other,
               std::string("call different operations (the other ") + there.call + ")");
    }
    const bool name_a_root = there.root != no_root && own_arrival.root != no_root;
    if (name_a_root && there.root != own_arrival.root) {
      mismatch(one, rank, other,
               "name different roots (" + std::to_string(own_arrival.root) + " and " +
                   std::to_string(there.root) + ")");
    }
    const bool known = is_predefined_op(own_arrival.op) || is_predefined_op(there.op);
    const bool name_both = own_arrival.op != 0 && there.op != 0;
    if (known && name_both && there.op != own_arrival.op) {
      mismatch(one, rank, other,
               "name different operations (" + std::string(op_name(own_arrival.op)) + " and " +
                   std::string(op_name(there.op)) + ")");
    }
  }
}

// In a reduction all must bring the same.
void Collectives::require_same_types(const Collective& one, std::size_t rank) {
  const Communicator& all = communicator(one.communicator);
  const auto first = static_cast<std::size_t>(all.partners_of(static_cast<int>(rank)).front());
  const std::size_t model = all.is_between() ? first : rank;
  const std::vector<Signature>& expected = one.arrivals[model].signatures;
  for (std::size_t other = 0; other < one.arrivals.size(); ++other) {
    const Arrival& there = one.arrivals[other];
    const bool is_known = there.here && other != model && !there.signatures.empty();
    if (!is_known || there.signatures == expected) continue;
    mismatch(one, model, other,
             "bring different types (" + text(expected.front()) + " and " +
                 text(there.signatures.front()) + ")");
  }
}

// --- data ----------------------------------------------------------------------------------------

// What `from` has brought as its n-th part goes to a place of the rank.
void Collectives::put(const Collective& one, std::size_t from, std::size_t part, std::size_t rank,
                      std::size_t place) {
  const Arrival& there = one.arrivals[from];
  MAZURKA_CHECK(there.here && place < one.arrivals[rank].places.size(),
                "data is put in its place once its rank has arrived");
  const Place& where = one.arrivals[rank].places[place];
  const std::size_t nth = there.data.size() == 1 ? 0 : part;
  const Signature expected = signature_of(where.layout, where.count);
  if (nth >= there.data.size()) {
    mismatch(one, rank, from, "do not fit together (the second is expected to send, and does not)");
  }
  const Signature& sent = there.signatures[nth];
  if (compare(sent, expected) != Fit::fits || compare(expected, sent) != Fit::fits) {
    mismatch(
        one, rank, from,
        "do not fit together (" + text(expected) + " is expected, and " + text(sent) + " is sent)");
  }
  if (where.buffer == nullptr) return;  // where it is already
  tell_access(where.buffer, where.layout, where.count, true);
  unpack(there.data[nth], where.buffer, where.layout, where.count);
}

// The user's function sees arrays of values as they lie in memory.
void Collectives::apply_user_op(const Arrival& own_arrival, const std::vector<std::byte>& in,
                                std::vector<std::byte>& inout) {
  const Datatype& layout = own_arrival.layout;
  const std::uint64_t count = layout.size == 0 ? 0 : in.size() / layout.size;
  const std::size_t room = static_cast<std::size_t>(layout.extent) * count + 64;
  std::vector<std::byte> left(room);
  std::vector<std::byte> right(room);
  const std::int64_t shift = -std::min<std::int64_t>(layout.lower, 0);
  unpack(in, left.data() + shift, layout, count);
  unpack(inout, right.data() + shift, layout, count);
  int length = static_cast<int>(count);
  auto* type = reinterpret_cast<void*>(own_arrival.type);
  const UserOp& op = own().ops[number_in(own_arrival.op)];
  threads::inside_engine = false;
  op.function(left.data() + shift, right.data() + shift, &length, &type);
  threads::inside_engine = true;
  inout = pack(right.data() + shift, layout, count);
}

// Of what the first so many of its partners bring.
std::vector<std::byte> Collectives::combined(const Collective& one, std::size_t rank,
                                             std::size_t end) {
  const Arrival& own_arrival = one.arrivals[rank];
  const auto begin = static_cast<std::size_t>(
      communicator(one.communicator).partners_of(static_cast<int>(rank)).front());
  // From the right: ((0 op 1) op 2) is what an operation that does not commute must come to.
  std::vector<std::byte> result = one.arrivals[begin].data[0];
  for (std::size_t from = begin + 1; from < begin + end; ++from) {
    std::vector<std::byte> next = one.arrivals[from].data[0];
    if (is_predefined_op(own_arrival.op)) {
      combine(own_arrival.op, own_arrival.layout, result, next);
    } else {
      apply_user_op(own_arrival, result, next);
    }
    result = std::move(next);
  }
  return result;
}

void Collectives::reduce(const Collective& one, std::size_t rank, std::size_t end, bool segment) {
  require_same_types(one, rank);
  if (end == 0) return;
  const Arrival& own_arrival = one.arrivals[rank];
  MAZURKA_CHECK(own_arrival.places.size() == 1, "a reduction has one result");
  const Place& where = own_arrival.places[0];
  const std::vector<std::byte> result = combined(one, rank, end);
  std::size_t offset = 0;
  const auto own_rank =
      static_cast<std::size_t>(communicator(one.communicator).rank_at(static_cast<int>(rank)));
  for (std::size_t before = 0; segment && before < own_rank; ++before) {
    offset += static_cast<std::size_t>(own_arrival.numbers[before]) * own_arrival.layout.size;
  }
  tell_access(where.buffer, where.layout, where.count, true);
  const std::span<const std::byte> all(result);
  unpack(all.subspan(std::min(offset, all.size())), where.buffer, where.layout, where.count);
}

void Collectives::deliver(const Collective& one, std::size_t rank) {
  const Arrival& own_arrival = one.arrivals[rank];
  if (own_arrival.places.empty()) return;
  const auto root = static_cast<std::size_t>(std::max(own_arrival.root, 0));
  const Communicator& all = communicator(one.communicator);
  const auto part = static_cast<std::size_t>(all.rank_at(static_cast<int>(rank)));
  const auto first = static_cast<std::size_t>(all.partners_of(static_cast<int>(rank)).front());
  const std::size_t size = all.partners_of(static_cast<int>(rank)).size();
  const auto from_all = [&] {
    for (std::size_t nth = 0; nth < size; ++nth) put(one, first + nth, part, rank, nth);
  };
  switch (own_arrival.shape) {
    case Shape::barrier:
    case Shape::communicator: return;
    case Shape::broadcast:
    case Shape::scatter: put(one, root, part, rank, 0); return;
    case Shape::neighbours: deliver_from_neighbours(one, rank); return;
    case Shape::gather:
    case Shape::all_gather:
    case Shape::all_to_all: from_all(); return;
    case Shape::reduce:
    case Shape::all_reduce: reduce(one, rank, size, false); return;
    case Shape::scan: reduce(one, rank, rank + 1, false); return;
    case Shape::exclusive_scan: reduce(one, rank, rank, false); return;
    case Shape::reduce_scatter: reduce(one, rank, size, true); return;
  }
}

void Collectives::deliver_from_neighbours(const Collective& one, std::size_t rank) {
  const std::size_t count = one.arrivals[rank].places.size();
  for (std::size_t place = 0; place < count; ++place) {
    const Edge edge =
        edge_to(communicator(one.communicator), static_cast<int>(rank), static_cast<int>(place));
    if (edge.source == outside) continue;
    put(one, static_cast<std::size_t>(edge.source), static_cast<std::size_t>(edge.part), rank,
        place);
  }
}

// The rank would not have had to wait for everybody; until it meets all others, it may be ahead.
void Collectives::note_whether_ahead(const Collective& one, std::size_t rank) {
  const std::size_t size = one.arrivals.size();
  bool all = true;
  for (std::size_t other = 0; other < size; ++other) {
    all = all && (other == rank || needs_data(one, rank, other));
  }
  if (!all) own().is_ahead = true;
  if (all && size == world_.ranks.size()) own().is_ahead = false;
}

void Collectives::finish(RequestRef ref) {
  Collective& one = world_.collectives[at(ref).collective];
  const auto rank = static_cast<std::size_t>(rank_in(communicator(one.communicator), ref.rank));
  for (std::size_t other = 0; other < one.arrivals.size(); ++other) {
    if (one.arrivals[other].here && needs(one, rank, other)) {
      self().knowledge.now.join(one.arrivals[other].knowledge);
    }
  }
  MAZURKA_CHECK(one.arrivals[rank].here && !one.arrivals[rank].left,
                "a rank leaves a collective operation once, after it came");
  deliver(one, rank);
  note_whether_ahead(one, rank);
  world_.collectives[at(ref).collective].arrivals[rank].left = true;
}

std::string Collectives::missing_in_words(std::uint32_t number) const {
  const Collective& one = world_.collectives[number];
  const Communicator& group = communicator(one.communicator);
  std::string words;
  for (std::size_t rank = 0; rank < one.arrivals.size(); ++rank) {
    if (one.arrivals[rank].here) continue;
    words += (words.empty() ? "rank " : ", rank ") + std::to_string(group.members[rank]);
  }
  return words + " to call it";
}

}  // namespace mazurka::mpi
