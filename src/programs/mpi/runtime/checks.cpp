#include "programs/mpi/runtime/checks.hpp"

#include "programs/mpi/operations.hpp"
#include "programs/mpi/runtime/handles.hpp"

namespace mazurka::mpi {

namespace {

constexpr int largest_tag = 0x7fff'ffff;

std::string value(std::int64_t number) { return std::to_string(number); }

}  // namespace

Check::Check(Checks& checks, const char* call, std::uint64_t communicator)
    : checks_(checks), call_(call), communicator_(communicator) {}

void Check::wrong(int code, const std::string& what) {
  if (code_ != 0) return;
  code_ = code;
  if (!checks_.returns_errors(communicator_)) checks_.misuse(call_, what);
  checks_.call_handler(communicator_, code);
}

Check& Check::that(bool holds, int code, const std::string& what) {
  if (!holds) wrong(code, what);
  return *this;
}

Check& Check::communicator() {
  if (checks_.find_communicator(communicator_) >= 0) {
    size_ = checks_.partners_of_communicator(communicator_);
    that(checks_.is_made(communicator_), error::communicator,
         "the communicator is used before the operation that makes it is complete");
    return *this;
  }
  wrong(error::communicator,
        communicator_ == null_communicator ? "the communicator is MPI_COMM_NULL"
        : communicator_ == 0               ? "the communicator was not initialised"
                                           : "the communicator does not exist, or was freed");
  return *this;
}

Check& Check::one_group() {
  if (code_ != 0) return *this;
  return that(!checks_.is_between(communicator_), error::communicator,
              "the communicator is one between two groups");
}

Check& Check::window() {
  const int number = checks_.find_window(communicator_);
  if (number >= 0) {
    size_ = checks_.size_of_window(communicator_);
    return *this;
  }
  wrong(error::window, communicator_ == null_window ? "the window is MPI_WIN_NULL"
                       : communicator_ == 0         ? "the window was not initialised"
                                                    : "the window does not exist, or was freed");
  return *this;
}

Check& Check::type(std::uint64_t handle, bool committed) {
  const Datatype* known = checks_.find_type(handle);
  if (known == nullptr) {
    wrong(error::type, handle == null_type ? "the datatype is MPI_DATATYPE_NULL"
                       : handle == 0       ? "the datatype was not initialised"
                                           : "the datatype does not exist, or was freed");
  } else if (committed && !known->committed) {
    wrong(error::type, "the datatype was not committed");
  }
  return *this;
}

Check& Check::buffer(const void* memory, std::int64_t count, std::uint64_t type,
                     bool may_be_in_place) {
  const bool in_place = memory == reinterpret_cast<const void*>(1);
  if (in_place && may_be_in_place) return *this;
  that(count >= 0, error::count, "the count is negative (" + value(count) + ")");
  this->type(type, true);
  that(!in_place, error::buffer, "the buffer is MPI_IN_PLACE");
  const Datatype* known = checks_.find_type(type);
  // A type whose blocks have addresses is used with MPI_BOTTOM.
  const bool absolute =
      known != nullptr && !known->blocks.empty() && known->blocks.front().offset != 0;
  that(memory != nullptr || count == 0 || absolute || (known != nullptr && known->size == 0),
       error::buffer, "the buffer is null");
  return *this;
}

Check& Check::apart(std::int64_t count, std::uint64_t type) {
  if (code_ != 0) return *this;
  return that(!overlaps_itself(checks_.layout(type), static_cast<std::uint64_t>(count)),
              error::type, "the places that values are received at overlap");
}

Check& Check::destination(int rank) {
  return that(rank == no_process_rank || (rank >= 0 && rank < size_) || code_ != 0, error::rank,
              "the destination " + value(rank) + " is no rank of the communicator, which has " +
                  value(size_));
}

Check& Check::source(int rank) {
  return that(
      rank == no_process_rank || rank == any_source || (rank >= 0 && rank < size_) || code_ != 0,
      error::rank,
      "the source " + value(rank) + " is no rank of the communicator, which has " + value(size_));
}

Check& Check::send_tag(int tag) {
  return that(tag >= 0 && tag <= largest_tag, error::tag,
              tag == any_tag ? "a message is sent with MPI_ANY_TAG"
                             : "the tag is negative (" + value(tag) + ")");
}

Check& Check::receive_tag(int tag) {
  return that(tag >= 0 || tag == any_tag, error::tag, "the tag is negative (" + value(tag) + ")");
}

Check& Check::root(int rank) {
  const bool has_none = rank == no_process_rank || rank == is_root_itself;
  return that(
      (rank >= 0 && rank < size_) || code_ != 0 || (has_none && checks_.is_between(communicator_)),
      error::root,
      "the root " + value(rank) + " is no rank of the communicator, which has " + value(size_));
}

Check& Check::op(std::uint64_t op, std::uint64_t type) {
  if (code_ != 0) return *this;
  const bool known = is_predefined_op(op);
  that(known || checks_.find_op(op) != nullptr, error::op,
       op == null_op ? "the operation is MPI_OP_NULL"
       : op == 0     ? "the operation was not initialised"
                     : "the operation does not exist, or was freed");
  const Datatype* layout = checks_.find_type(type);
  if (code_ != 0 || !known || layout == nullptr) return *this;
  return that(goes_with(op, *layout), error::op,
              std::string(op_name(op)) + " is not defined for " + layout->name);
}

// --- what is known -------------------------------------------------------------------------------

void Checks::require_running(const char* call) {
  constexpr int serialized = 2048;  // MPI_THREAD_SERIALIZED
  const Phase phase = own().phase;
  if (phase == Phase::during) {
    if (own().level >= serialized || self().id == own().main) return;
    misuse(call,
           "it is called by another thread than the one that called MPI_Init, which was not "
           "asked to allow that");
  }
  fail(FindingKind::misuse,
       std::string(call) + (phase == Phase::before ? " is called before MPI_Init"
                                                   : " is called after MPI_Finalize"),
       std::string("phase ") + call);
}

int Checks::find_communicator(std::uint64_t handle) const {
  if (handle == world_communicator) return 0;
  if (handle == self_communicator) return 1;
  if (!is_handle(handle, HandleKind::communicator)) return -1;
  const std::size_t number = number_in(handle);
  const List<CommunicatorHandle>& all = own().communicators;
  return number < all.size() && number > 1 && !all[number].freed ? static_cast<int>(number) : -1;
}

const Communicator& Checks::communicator_of(std::uint64_t handle) const {
  const CommunicatorHandle& held = own().communicators[number_of_communicator(handle)];
  return world_.communicators[held.communicator];
}

int Checks::partners_of_communicator(std::uint64_t handle) const {
  const Communicator& known = communicator_of(handle);
  const std::size_t all = known.members.size();
  const bool is_first = known.place_of(self().rank) < static_cast<int>(known.first_group);
  return static_cast<int>(is_first ? all - known.first_group
                                   : (known.is_between() ? known.first_group : all));
}

bool Checks::is_made(std::uint64_t handle) const {
  return !own().communicators[number_of_communicator(handle)].made_by.any();
}

bool Checks::is_between(std::uint64_t handle) const {
  return find_communicator(handle) >= 0 && communicator_of(handle).is_between();
}

int Checks::find_window(std::uint64_t handle) const {
  if (!is_handle(handle, HandleKind::window)) return -1;
  const std::size_t number = number_in(handle);
  const List<WindowHandle>& all = own().windows;
  return number < all.size() && !all[number].freed ? static_cast<int>(number) : -1;
}

int Checks::size_of_window(std::uint64_t handle) const {
  const WindowHandle& held = own().windows[number_in(handle)];
  return static_cast<int>(world_.windows[held.window].parts.size());
}

const Datatype* Checks::find_type(std::uint64_t handle) const {
  const EngineScope scope;  // the table of predefined types outlives the execution that makes it
  if (!is_handle(handle, HandleKind::type)) return predefined_type(handle);
  const std::size_t number = number_in(handle);
  const List<UserType>& all = own().types;
  return number < all.size() && !all[number].freed ? &all[number].type : nullptr;
}

const UserOp* Checks::find_op(std::uint64_t handle) const {
  if (!is_handle(handle, HandleKind::op)) return nullptr;
  const std::size_t number = number_in(handle);
  const List<UserOp>& all = own().ops;
  return number < all.size() && !all[number].freed ? &all[number] : nullptr;
}

std::uint64_t Checks::handler_of(std::uint64_t handle) const {
  if (const int window = find_window(handle); window >= 0) {
    return own().windows[static_cast<std::size_t>(window)].handler;
  }
  const int number = find_communicator(handle);
  return own().communicators[static_cast<std::size_t>(number < 0 ? 0 : number)].handler;
}

bool Checks::returns_errors(std::uint64_t handle) const {
  return returns_to_program(handler_of(handle));
}

void Checks::call_handler(std::uint64_t handle, int code) {
  call(handler_of(handle), handle, code);
}

int Checks::conclude(const Result& result, Answers answers) {
  if (result.error == 0) return 0;
  const int code = answers == Answers::statuses ? error::in_status : result.error;
  const List<CommunicatorHandle>& all = own().communicators;
  for (std::size_t number = 0; number < all.size(); ++number) {
    if (world_.communicators[all[number].communicator].key != result.communicator) continue;
    const std::uint64_t handle = number == 0   ? world_communicator
                                 : number == 1 ? self_communicator
                                               : handle_of(HandleKind::communicator, number);
    call(all[number].handler, handle, code);
    break;
  }
  return code;
}

void Checks::call(std::uint64_t handler, std::uint64_t handle, int code) {
  if (!is_handle(handler, HandleKind::error_handler)) return;
  const ErrorHandler known = own().handlers[number_in(handler)];
  auto* about = reinterpret_cast<void*>(handle);
  threads::inside_engine = false;
  known.function(&about, &code);
  threads::inside_engine = true;
}

void Checks::misuse(const char* call, const std::string& what) {
  fail(FindingKind::misuse, std::string(call) + ": " + what, std::string(call) + " " + what);
}

}  // namespace mazurka::mpi
