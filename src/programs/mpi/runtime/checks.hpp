// What may be wrong with the arguments of a call.
//
// A Check is made for one call and asked about each argument in turn; the first that is wrong
// counts. By default that is the end of the rank, and a finding. If the program has said that
// errors of the communicator are returned, the call answers with the class of the error.
#pragma once

#include <cstdint>
#include <string>

#include "programs/mpi/runtime/mpi_part.hpp"

namespace mazurka::mpi {

/// Classes of errors, as mpi.h numbers them.
namespace error {
inline constexpr int buffer = 1;
inline constexpr int count = 2;
inline constexpr int type = 3;
inline constexpr int tag = 4;
inline constexpr int communicator = 5;
inline constexpr int rank = 6;
inline constexpr int request = 7;
inline constexpr int root = 8;
inline constexpr int group = 9;
inline constexpr int op = 10;
inline constexpr int topology = 11;
inline constexpr int dimensions = 12;
inline constexpr int argument = 13;
inline constexpr int truncated = 15;
inline constexpr int other = 16;
inline constexpr int in_status = 19;
inline constexpr int displacement = 26;
inline constexpr int lock_type = 37;
inline constexpr int attachment = 46;
inline constexpr int conflict = 47;
inline constexpr int range = 48;
inline constexpr int synchronization = 50;
inline constexpr int window = 56;
inline constexpr int flavor = 57;
}  // namespace error

class Checks;

class Check {
 public:
  Check(Checks& checks, const char* call, std::uint64_t communicator);

  /// Comes first, unless the call has none.
  Check& communicator();
  /// Between two groups, the call makes no sense.
  Check& one_group();
  /// The same for a call that is about a window.
  Check& window();
  Check& buffer(const void* memory, std::int64_t count, std::uint64_t type, bool may_be_in_place);
  /// So many values can be received: nothing is written twice.
  Check& apart(std::int64_t count, std::uint64_t type);
  Check& destination(int rank);
  Check& source(int rank);
  Check& send_tag(int tag);
  Check& receive_tag(int tag);
  Check& root(int rank);
  Check& op(std::uint64_t op, std::uint64_t type);
  Check& type(std::uint64_t handle, bool committed);
  Check& that(bool holds, int code, const std::string& what);

  /// The class of the first error, or 0.
  [[nodiscard]] int failed() const { return code_; }

 private:
  void wrong(int code, const std::string& what);

  Checks& checks_;
  const char* call_;
  std::uint64_t communicator_;
  int size_ = 0;
  int code_ = 0;
};

class Checks : public MpiPart {
 public:
  explicit Checks(const Context& context) : MpiPart(context) {}

  /// The rank may call functions of MPI now; a finding if not.
  void require_running(const char* call);
  [[nodiscard]] Check check(const char* call, std::uint64_t communicator) {
    require_running(call);
    return {*this, call, communicator};
  }
  /// For a function that may be called before MPI_Init and after MPI_Finalize.
  [[nodiscard]] Check check_at_any_time(const char* call) { return {*this, call, world_of_errors}; }

  /// Number of the rank's handle, or -1.
  [[nodiscard]] int find_communicator(std::uint64_t handle) const;
  [[nodiscard]] std::size_t number_of_communicator(std::uint64_t handle) const {
    return static_cast<std::size_t>(find_communicator(handle));
  }
  /// Number of the rank's window, or -1.
  [[nodiscard]] int find_window(std::uint64_t handle) const;
  /// Null: there is none.
  [[nodiscard]] const Datatype* find_type(std::uint64_t handle) const;
  /// The layout of a type that was checked.
  [[nodiscard]] const Datatype& layout(std::uint64_t handle) const { return *find_type(handle); }
  [[nodiscard]] const UserOp* find_op(std::uint64_t handle) const;
  [[nodiscard]] const Communicator& communicator_of(std::uint64_t handle) const;
  /// So many can be named in a call: the ranks of the other group, if there are two.
  [[nodiscard]] int partners_of_communicator(std::uint64_t handle) const;
  [[nodiscard]] bool is_made(std::uint64_t handle) const;
  [[nodiscard]] bool is_between(std::uint64_t handle) const;
  [[nodiscard]] int size_of_window(std::uint64_t handle) const;
  /// Whether errors of the communicator, or window, are returned to the program.
  [[nodiscard]] bool returns_errors(std::uint64_t handle) const;
  /// Tells the program's own handler of the error, if there is one.
  void call_handler(std::uint64_t communicator, int code);
  /// What a call returns that waited for the operation: the error is told to the program's own
  /// handler, if there is one.
  enum class Answers : std::uint8_t { status, statuses };
  int conclude(const Result& result, Answers answers = Answers::status);
  [[noreturn]] void misuse(const char* call, const std::string& what);

 private:
  static constexpr std::uint64_t world_of_errors = 0x101;  // MPI_COMM_WORLD
  void call(std::uint64_t handler, std::uint64_t handle, int code);
  [[nodiscard]] std::uint64_t handler_of(std::uint64_t handle) const;
};

}  // namespace mazurka::mpi
