// Handles of objects that a rank has made: a number of its table, above those of predefined
// objects.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka::mpi {

enum class HandleKind : std::uint8_t {
  communicator = 1,
  group,
  type,
  op,
  request,
  info,
  message,
  error_handler,
  window,
};

inline constexpr unsigned handle_shift = 12;
inline constexpr std::uint64_t handle_kinds = (std::uint64_t{1} << handle_shift) - 1;
// A request's number is used again; the handle says for how manieth time it is.
inline constexpr unsigned generation_shift = 24;

[[nodiscard]] constexpr std::uint64_t handle_of(HandleKind kind, std::uint64_t number) {
  return (number + 1) << handle_shift | static_cast<std::uint64_t>(kind);
}
[[nodiscard]] constexpr bool is_handle(std::uint64_t handle, HandleKind kind) {
  return handle >> handle_shift != 0 && (handle & handle_kinds) == static_cast<std::uint64_t>(kind);
}
[[nodiscard]] constexpr std::size_t number_in(std::uint64_t handle) {
  return static_cast<std::size_t>(handle >> handle_shift) - 1;
}

// Predefined ones, as mpi.h has them.
inline constexpr std::uint64_t null_communicator = 0x100;
inline constexpr std::uint64_t world_communicator = 0x101;
inline constexpr std::uint64_t self_communicator = 0x102;
inline constexpr std::uint64_t null_group = 0x108;
inline constexpr std::uint64_t empty_group = 0x109;
inline constexpr std::uint64_t null_window = 0x110;
inline constexpr std::uint64_t null_message = 0x128;
inline constexpr std::uint64_t no_proc_message = 0x129;
inline constexpr std::uint64_t null_info = 0x130;
inline constexpr std::uint64_t errors_return = 0x142;
inline constexpr std::uint64_t null_request = 0x180;
inline constexpr std::uint64_t null_type = 0x200;
inline constexpr std::uint64_t null_op = 0x20;
inline constexpr int no_process_rank = -32103;  // MPI_PROC_NULL
inline constexpr int is_root_itself = -32104;   // MPI_ROOT

}  // namespace mazurka::mpi
