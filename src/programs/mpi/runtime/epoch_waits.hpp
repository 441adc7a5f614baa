// What calls about windows wait for: others who open or leave an epoch, and updates.
//
// Such a wait is a request that the program has no handle of; it is complete, because of the events
// that made it so, as soon as what it awaits has happened.
#pragma once

#include <cstdint>
#include <vector>

#include "programs/mpi/runtime/completion.hpp"
#include "programs/mpi/runtime/mpi_part.hpp"
#include "programs/mpi/runtime/requests.hpp"
#include "programs/mpi/runtime/windows.hpp"

namespace mazurka::mpi {

class EpochWaits : public MpiPart {
 public:
  EpochWaits(const Context& context, Completion& completion, Requests& requests, Windows& windows)
      : MpiPart(context), completion_(completion), requests_(requests), windows_(windows) {}

  /// The current process waits. `target`: whose updates, negative: all.
  void wait(const char* call, std::uint64_t window, Awaits what, int target);
  /// Whether it would not have to, and because of which events.
  [[nodiscard]] bool is_there(std::int32_t rank, std::uint32_t window, Awaits what, int target,
                              std::vector<std::uint32_t>& causes) const;
  /// Something has happened in a window: those that waited for it go on.
  void look_again();
  /// ... this; a request of the program may be for its result.
  void look_again(const Update& performed);

  /// The exposure of the target that this rank, of the window, may come to; null: there is none.
  [[nodiscard]] static Exposure* open_for(Window& window, int target, int rank);
  /// The current exposure of the rank.
  [[nodiscard]] static Exposure& current(Window& window, int rank) {
    return window.exposures[static_cast<std::size_t>(rank)].back();
  }

 private:
  [[nodiscard]] const WindowHandle& handle_of(std::int32_t rank, std::uint32_t window) const;
  [[nodiscard]] bool all_exposed(const Window& window, const std::vector<int>& group, int rank,
                                 std::vector<std::uint32_t>& causes) const;
  [[nodiscard]] bool all_gone(const Window& window, int rank,
                              std::vector<std::uint32_t>& causes) const;
  [[nodiscard]] std::string words(std::uint64_t window, Awaits what) const;

  Completion& completion_;
  Requests& requests_;
  Windows& windows_;
};

}  // namespace mazurka::mpi
