#include "programs/mpi/runtime/updates.hpp"

#include <algorithm>
#include <array>

#include "core/check.hpp"
#include "programs/mpi/operations.hpp"
#include "programs/mpi/runtime/epoch_waits.hpp"
#include "programs/mpi/runtime/transfers.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"

namespace mazurka::mpi {

namespace {

constexpr std::uintptr_t granule = 4;

}  // namespace

std::vector<ObjectId> Updates::cells_of(std::uint32_t window, int target,
                                        const std::vector<Piece>& pieces) {
  const Window& known = world_.windows[window];
  const std::uintptr_t base = known.parts[static_cast<std::size_t>(target)].base;
  std::array<bool, objects_of_part> touched{};
  for (const Piece& piece : pieces) {
    MAZURKA_CHECK(base <= piece.begin && piece.begin < piece.end,
                  "a piece is one of the target's part");
    std::uintptr_t at_granule = (piece.begin - base) / granule;
    const std::uintptr_t last = (piece.end - 1 - base) / granule;
    for (std::size_t nth = 0; nth < objects_of_part && at_granule <= last; ++nth, ++at_granule) {
      touched[at_granule % objects_of_part] = true;
    }
  }
  std::vector<ObjectId> cells;
  for (std::size_t at_object = 0; at_object < objects_of_part; ++at_object) {
    if (!touched[at_object]) continue;
    cells.push_back(cell(window, target, at_object));
  }
  return cells;
}

void Updates::issue(std::uint32_t number) {
  {
    Update& update = world_.updates[number];
    update.looks = may_only_look(update);
  }
  const auto words = [&] {
    const Update& update = world_.updates[number];
    return std::string(update.call) + " to " + rank_words(update.target);
  };
  if (recording()) note_words(words());
  note_time(true);
  meet_others(world_.updates[number].window, world_.updates[number].target);
  park({}, true);
  if (recording()) record_words(words());
  List<ProcessId>& idle = own().idle_agents;
  const bool fresh = idle.empty();
  if (fresh) {
    const std::vector<ProcessId> made = transfers_.create_agents(1);
    idle.insert(idle.end(), made.begin(), made.end());
  }
  if (!scheduler_.refusal().error.empty()) leave();
  const ProcessId agent = idle.back();
  idle.pop_back();
  const auto event = static_cast<std::uint32_t>(run().position());
  state_.quiet = world_.updates[number].looks;
  const std::array<ProcessId, 1> created{agent};
  commit({}, 1, fresh ? std::span<const ProcessId>(created) : std::span<const ProcessId>());
  Update& update = world_.updates[number];
  MAZURKA_CHECK(update.issued == no_event, "an update is issued once");
  update.issued = event;
  update.agent = agent;
  update.knowledge.assign(self().knowledge.now);
  if (recording()) update.stack = self().stack;
  self().knowledge.now.tick(self().id);
  Agent& known = world_.agents[agent];
  known.kind = Agent::Kind::update;
  known.pick = number;
  announce_those_that_can();
}

// What one rank does to one place happens in order.
bool Updates::must_follow(const Update& later, const Update& earlier) const {
  return !earlier.settled && earlier.rank == later.rank && earlier.window == later.window &&
         earlier.target == later.target && overlap(earlier.pieces, later.pieces);
}

void Updates::announce_those_that_can() {
  std::vector<std::uint32_t> causes;
  std::vector<Access> accesses;
  for (std::size_t number = 0; number < world_.updates.size(); ++number) {
    Update& update = world_.updates[number];
    if (update.announced || update.agent == no_process) continue;
    causes.assign(1, update.issued);
    bool can = true;
    for (std::size_t before = 0; can && before < number; ++before) {
      const Update& earlier = world_.updates[before];
      if (!must_follow(update, earlier)) continue;
      MAZURKA_CHECK(earlier.issued <= update.issued, "updates are numbered as they are issued");
      can = earlier.performed != no_event;
      causes.push_back(earlier.performed);
    }
    if (!can) continue;
    update.announced = true;
    accesses.clear();
    for (const ObjectId cell : update.cells) {
      accesses.push_back(access(cell, Kind::cell, update.mode));
    }
    run().announce(update.agent, {accesses, no_process, false}, true);
    run().caused_by(update.agent, causes);
  }
}

bool Updates::change_memory(Update& update) {
  auto* const memory = reinterpret_cast<void*>(update.memory);
  std::vector<std::byte> values = pack(memory, update.layout, update.count);
  if (update.result != nullptr) {
    for_each_piece(
        update.result_layout, update.result_count, [&](std::int64_t offset, std::size_t bytes) {
          accesses_.track(threads::address_of(update.result) + static_cast<std::uintptr_t>(offset),
                          bytes, false, true);
        });
    unpack(values, update.result, update.result_layout, update.result_count);
  }
  if (update.mode == cell_mode::read) return false;
  if (update.op != 0) {
    accumulate(update.op, *update.element, update.operand, values);
  } else if (values == update.compared) {
    values = update.operand;
  } else {
    return false;
  }
  for (const Piece& piece : update.pieces) {
    accesses_.track(piece.begin, piece.end - piece.begin, false, true);
  }
  unpack(values, memory, update.layout, update.count);
  return true;
}

void Updates::record_update(const Update& update) {
  RawEvent& event = recorder()->add(update.process, host::Action::mpi,
                                    static_cast<std::uint32_t>(run().position()));
  event.stack.assign(update.stack.begin(), update.stack.end());
  event.ends.clear();
  event.words = std::string(update.call) + " happens in " + rank_words(update.target);
}

void Updates::perform(ProcessId agent) {
  const EngineScope scope;
  Update& update = world_.updates[world_.agents[agent].pick];
  const auto event = static_cast<std::uint32_t>(run().position());
  if (recording()) record_update(update);
  if (!scheduler_.commit_agent({})) return;
  for (const ObjectId cell : update.cells) {
    VectorClock& known = world_.cells[cell];
    update.learned.join(known);
    if (update.mode != cell_mode::read) known.join(update.knowledge);
  }
  update.changes = change_memory(update);
  for (const ObjectId cell : update.cells) {
    if (update.changes) changed(cell);
    update.versions.push_back(world_.versions[cell]);
  }
  MAZURKA_CHECK(update.announced && update.performed == no_event && update.issued < event,
                "an update is performed once, after it was issued");
  update.performed = event;
  run().enable(agent, false);
  announce_those_that_can();
  waits_.look_again(update);
}

// A loop of updates that change nothing is one that waits for others to change something.
void Updates::note_look(const Update& update) {
  bool same = !update.changes;
  MAZURKA_CHECK(update.versions.size() == update.cells.size(),
                "a performed update knows its cells");
  for (std::size_t nth = 0; nth < update.cells.size(); ++nth) {
    same = same && world_.versions[update.cells[nth]] == update.versions[nth];
  }
  if (!same) {
    self().watch.progress();
    return;
  }
  for (const ObjectId cell : update.cells) spins_.watch_object(cell);
}

// Whether all that it does may be to look. Not if others are under way: what these do is not known.
bool Updates::may_only_look(const Update& update) const {
  if (update.op != 0 && update.mode != cell_mode::read) return false;
  return std::none_of(world_.updates.begin(), world_.updates.end(), [&](const Update& one) {
    return &one != &update && !one.settled && one.rank == update.rank &&
           one.window == update.window;
  });
}

void Updates::settle(std::uint32_t window, int target) {
  for (Update& update : world_.updates) {
    if (update.settled || update.performed == no_event || update.rank != self().rank ||
        update.window != window || update.target != target) {
      continue;
    }
    update.settled = true;
    if (update.looks) note_look(update);
    own().idle_agents.push_back(update.agent);
  }
}

}  // namespace mazurka::mpi
