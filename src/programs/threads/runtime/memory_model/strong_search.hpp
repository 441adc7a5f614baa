// Which sequentially consistent operations and fences come after one, in RC11.
//
// There must be no circle among them, as Lahav, Vafeiadis, Kang, Hur and Dreyer define it (PLDI
// 2017): psc, the union of
//
//     ([SC] + [F];hb?) ; (po + po/;hb;po/ + hb-loc + mo + fr) ; ([SC] + hb?;[F])
//     [F] ; (hb + hb;eco;hb) ; [F]
//
// and the order of fences that a lock of the system gives them (futexes.hpp),
// where F are sequentially consistent fences, po/ leads from one variable to another, hb-loc stays
// at one, fr leads from a read to the writes behind what it has read, and eco is what mo, fr and
// reads-from lead to together.
//
// What was reached of a process are its last strong events; of what happens after a fence that was
// reached, its last events; of what comes behind these in the order of modification of a variable,
// the last values. So all that is kept is where these begin, and everything is gone through once.
// An edge from a fence to what happens after it is taken whether or not psc has it: whatever the
// other end leads to, the fence leads to as well.
#pragma once

#include <cstdint>
#include <vector>

#include "core/table.hpp"
#include "programs/threads/runtime/memory_model/access_graph.hpp"

namespace mazurka::threads {

class StrongSearch {
 public:
  using Histories = Table<ObjectId, History>;

  void begin(const AccessGraph& graph, const Histories& histories);
  /// Goes on from an operation that comes before the values of this variable from there on: from
  /// the strong ones that write them, and the fences after any that do.
  void add_writes(ObjectId object, std::size_t position);
  /// ... and from the fences after any that read them.
  void add_reads(ObjectId object, std::size_t position);
  /// Whether a fence was reached that happens before the next event of its process, this one, ...
  [[nodiscard]] bool leads_to_fence_before(const GraphEvent& event) const;
  /// ... or anything else that must come before it, if it is strong.
  [[nodiscard]] bool leads_to(const GraphEvent& event) const;

 private:
  struct OfProcess {
    std::uint32_t strong = 0;        // reached: those from this event on
    std::uint32_t after_fences = 0;  // happen after fences that were reached: from here on
  };
  struct OfObject {
    std::size_t written = ~std::size_t{0};
    std::size_t read = ~std::size_t{0};
    friend bool operator==(const OfObject&, const OfObject&) = default;
  };
  void lower_written(ObjectId object, std::size_t position);
  void lower_read(ObjectId object, std::size_t position);
  void reach(std::size_t process, std::uint32_t place);
  void reach_fences_after(const GraphEvent& event);
  void go_on();
  void go_on_from(const GraphEvent& strong);
  void go_on_behind(const GraphEvent& access);
  void go_on_after_fence(std::size_t process, std::uint32_t place);
  void go_on_in(std::size_t process, const GraphEvent& strong);
  [[nodiscard]] std::uint32_t first_after(std::size_t process, const GraphEvent& event) const;
  [[nodiscard]] bool comes_before(std::size_t process, const GraphEvent& event) const;

  const AccessGraph* graph_ = nullptr;
  const Histories* histories_ = nullptr;
  std::vector<OfProcess> processes_;
  Table<ObjectId, OfObject> objects_;
  std::vector<std::uint32_t> open_;  // strong events
};

}  // namespace mazurka::threads
