// Requests: the rank's table of them, and waits and tests as the program calls them.
//
// A handle is a number of the table and says for how manieth time that number is used, so a handle
// that is used too late is recognised.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "programs/mpi/runtime/checks.hpp"
#include "programs/mpi/runtime/completion.hpp"
#include "programs/mpi/runtime/mpi_part.hpp"

namespace mazurka::mpi {

inline constexpr int undefined = -32766;  // MPI_UNDEFINED

class Requests : public MpiPart {
 public:
  Requests(const Context& context, Checks& checks, Completion& completion)
      : MpiPart(context), checks_(checks), completion_(completion) {}

  // --- the table --------------------------------------------------------------------------------
  RequestRef add();
  void remove(RequestRef ref);
  [[nodiscard]] std::uint64_t handle_of_request(RequestRef ref) const;
  /// The request of this handle; none if there is none.
  [[nodiscard]] RequestRef ref_of(std::uint64_t handle) const;
  /// Waits for the request, which nobody else knows of.
  Result finish_now(RequestRef ref, const char* call);
  using Answers = Checks::Answers;

  // --- as the program calls them ----------------------------------------------------------------
  int wait_all(const char* call, std::span<std::uint64_t> handles, Answers answers,
               const std::function<void(std::size_t, const Result&)>& tell_result);
  int wait_any(const char* call, std::span<std::uint64_t> handles, int* which, Result* result,
               Answers answers = Answers::status);
  /// What they find is in asked().
  int wait_some(const char* call, std::span<std::uint64_t> handles);
  int test(const char* call, std::span<std::uint64_t> handles, Completion::Asks asks,
           Answers answers);
  [[nodiscard]] const Asked& asked() const { return world_.asked[self().id]; }
  /// Like a test of one, but the request stays: `ending` is what it will come to.
  int look_at(const char* call, std::uint64_t handle, bool* done, Result* ending);
  int release(const char* call, std::uint64_t* handle);
  int cancel(const char* call, std::uint64_t handle);

 private:
  void tell_handle(const std::uint64_t& handle, bool write);
  void find_requests(const char* call, std::span<const std::uint64_t> handles);
  void finish_asked(std::size_t nth, std::span<std::uint64_t> handles, Result* result);

  Checks& checks_;
  Completion& completion_;
};

}  // namespace mazurka::mpi
