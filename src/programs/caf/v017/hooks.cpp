// The library's functions that are taken over.
//
// They have the library's own names, and stand before it in the order in which a program's
// libraries are searched, so the library calls them as well: through its tables of virtual
// functions and through its own calls, as long as it was not linked with -Bsymbolic-functions
// (self_test.cpp looks whether it was). Between executions each does what the original does.
#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "caf/all.hpp"
#include "programs/caf/v017/originals.hpp"
#include "programs/caf/v017/world.hpp"

namespace mazurka::caf::v017 {

namespace {

/// A member function is called with its object first; the names are those of the common C++ ABI.
template <typename Function>
Function next_in_line(const char* symbol) {
  void* const found = dlsym(RTLD_NEXT, symbol);
  if (found == nullptr) {
    std::fprintf(stderr, "mazurka: libcaf_core has no %s; it is not a version that is known\n",
                 symbol);
    std::abort();
  }
  return reinterpret_cast<Function>(found);
}

#define MAZURKA_ORIGINAL(symbol, ...)                               \
  [] {                                                              \
    static const auto function = next_in_line<__VA_ARGS__>(symbol); \
    return function;                                                \
  }()

}  // namespace

namespace original {

void enqueue(::caf::scheduled_actor& actor, ::caf::mailbox_element_ptr element,
             ::caf::execution_unit* unit) {
  using Function =
      void (*)(::caf::scheduled_actor*, ::caf::mailbox_element_ptr, ::caf::execution_unit*);
  MAZURKA_ORIGINAL(
      "_ZN3caf15scheduled_actor7enqueueESt10unique_ptrINS_15mailbox_elementENS_6detail"
      "8disposerEEPNS_14execution_unitE",
      Function)
  (&actor, std::move(element), unit);
}

void enqueue(::caf::blocking_actor& actor, ::caf::mailbox_element_ptr element,
             ::caf::execution_unit* unit) {
  using Function =
      void (*)(::caf::blocking_actor*, ::caf::mailbox_element_ptr, ::caf::execution_unit*);
  MAZURKA_ORIGINAL(
      "_ZN3caf14blocking_actor7enqueueESt10unique_ptrINS_15mailbox_elementENS_6detail8"
      "disposerEEPNS_14execution_unitE",
      Function)
  (&actor, std::move(element), unit);
}

}  // namespace original
}  // namespace mazurka::caf::v017

using mazurka::caf::v017::active_world;
using mazurka::caf::v017::next_in_line;
using mazurka::caf::v017::World;
namespace original = mazurka::caf::v017::original;

namespace caf {

// --- messages -----------------------------------------------------------------------------------

void scheduled_actor::enqueue(mailbox_element_ptr ptr, execution_unit* eu) {
  if (World* const world = active_world()) {
    world->send(*this, ptr);
  } else {
    original::enqueue(*this, std::move(ptr), eu);
  }
}

void blocking_actor::enqueue(mailbox_element_ptr ptr, execution_unit* eu) {
  if (World* const world = active_world()) {
    world->send(*this, ptr);
  } else {
    original::enqueue(*this, std::move(ptr), eu);
  }
}

// --- actors -------------------------------------------------------------------------------------

void scheduled_actor::launch(execution_unit* eu, bool lazy, bool hide) {
  using Function = void (*)(scheduled_actor*, execution_unit*, bool, bool);
  if (World* const world = active_world()) {
    world->launched(*this, lazy);
    if (getf(is_detached_flag)) {
      world->refuse("it spawns a detached actor, which has a thread of its own");
      unsetf(is_detached_flag);
    }
  }
  MAZURKA_ORIGINAL("_ZN3caf15scheduled_actor6launchEPNS_14execution_unitEbb", Function)
  (this, eu, lazy, hide);
}

void blocking_actor::launch(execution_unit* eu, bool lazy, bool hide) {
  using Function = void (*)(blocking_actor*, execution_unit*, bool, bool);
  if (World* const world = active_world()) {
    world->refuse("it spawns a blocking actor, which has a thread of its own");
    return;
  }
  MAZURKA_ORIGINAL("_ZN3caf14blocking_actor6launchEPNS_14execution_unitEbb", Function)
  (this, eu, lazy, hide);
}

bool monitorable_actor::cleanup(error&& reason, execution_unit* host) {
  using Function = bool (*)(monitorable_actor*, error&&, execution_unit*);
  World* const world = active_world();
  if (world != nullptr && !getf(is_cleaned_up_flag)) world->ending(*this, reason);
  return MAZURKA_ORIGINAL("_ZN3caf17monitorable_actor7cleanupEONS_5errorEPNS_14execution_unitE",
                          Function)(this, std::move(reason), host);
}

// --- monitors and links -------------------------------------------------------------------------

void local_actor::monitor(abstract_actor* ptr, message_priority priority) {
  using Function = void (*)(local_actor*, abstract_actor*, message_priority);
  World* const world = active_world();
  if (world != nullptr && ptr != nullptr) {
    world->monitor(*this, *ptr, priority);
    return;
  }
  MAZURKA_ORIGINAL("_ZN3caf11local_actor7monitorEPNS_14abstract_actorENS_16message_priorityE",
                   Function)
  (this, ptr, priority);
}

void local_actor::demonitor(const actor_addr& whom) {
  using Function = void (*)(local_actor*, const actor_addr&);
  World* const world = active_world();
  const auto other = actor_cast<strong_actor_ptr>(whom);
  if (world != nullptr && other != nullptr) {
    world->demonitor(*this, *other->get());
    return;
  }
  MAZURKA_ORIGINAL("_ZN3caf11local_actor9demonitorERKNS_10actor_addrE", Function)(this, whom);
}

void monitorable_actor::add_link(abstract_actor* other) {
  using Function = void (*)(monitorable_actor*, abstract_actor*);
  if (World* const world = active_world()) {
    world->link(*this, *other);
    return;
  }
  MAZURKA_ORIGINAL("_ZN3caf17monitorable_actor8add_linkEPNS_14abstract_actorE", Function)
  (this, other);
}

void monitorable_actor::remove_link(abstract_actor* other) {
  using Function = void (*)(monitorable_actor*, abstract_actor*);
  if (World* const world = active_world()) {
    world->unlink(*this, *other);
    return;
  }
  MAZURKA_ORIGINAL("_ZN3caf17monitorable_actor11remove_linkEPNS_14abstract_actorE", Function)
  (this, other);
}

void monitorable_actor::attach(attachable_ptr what) {
  using Function = void (*)(monitorable_actor*, attachable_ptr);
  World* const world = active_world();
  if (world != nullptr && world->attach(*this, what)) return;
  MAZURKA_ORIGINAL(
      "_ZN3caf17monitorable_actor6attachESt10unique_ptrINS_10attachableESt14default_deleteIS2_EE",
      Function)
  (this, std::move(what));
}

// --- what goes wrong ----------------------------------------------------------------------------

result<message> print_and_drop(scheduled_actor* actor, message_view& message_of) {
  if (World* const world = active_world()) world->unhandled(*actor, message_of);
  return sec::unexpected_message;
}

error scheduled_actor::default_exception_handler(scheduled_actor* actor, std::exception_ptr& what) {
  if (World* const world = active_world()) world->thrown(*actor, what);
  return sec::runtime_error;
}

// --- main waits ---------------------------------------------------------------------------------

void blocking_actor::await_data() {
  using Function = void (*)(blocking_actor*);
  if (World* const world = active_world()) {
    world->await(*this, false);
    return;
  }
  MAZURKA_ORIGINAL("_ZN3caf14blocking_actor10await_dataEv", Function)(this);
}

bool blocking_actor::await_data(timeout_type timeout) {
  using Function = bool (*)(blocking_actor*, timeout_type);
  if (World* const world = active_world()) return world->await(*this, true);
  return MAZURKA_ORIGINAL(
      "_ZN3caf14blocking_actor10await_dataENSt6chrono10time_pointINS1_3_V212system_clockENS1_"
      "8durati"
      "onIlSt5ratioILl1ELl1000000000EEEEEE",
      Function)(this, timeout);
}

void actor_registry::await_running_count_equal(size_t expected) const {
  using Function = void (*)(const actor_registry*, size_t);
  if (World* const world = active_world()) {
    world->await_running(expected);
    return;
  }
  MAZURKA_ORIGINAL("_ZNK3caf14actor_registry25await_running_count_equalEm", Function)
  (this, expected);
}

// --- what is refused ----------------------------------------------------------------------------

group group_manager::get_local(const std::string& name) const {
  using Function = group (*)(const group_manager*, const std::string&);
  if (World* const world = active_world()) world->refuse("it uses groups");
  return MAZURKA_ORIGINAL(
      "_ZNK3caf13group_manager9get_localERKNSt7__cxx1112basic_stringIcSt11char_"
      "traitsIcESaIcEEE",
      Function)(this, name);
}

group group_manager::anonymous() const {
  using Function = group (*)(const group_manager*);
  if (World* const world = active_world()) world->refuse("it uses groups");
  return MAZURKA_ORIGINAL("_ZNK3caf13group_manager9anonymousEv", Function)(this);
}

actor actor_pool::make(execution_unit* host, policy policy_of) {
  using Function = actor (*)(execution_unit*, policy);
  if (World* const world = active_world()) world->refuse("it uses an actor pool");
  return MAZURKA_ORIGINAL(
      "_ZN3caf10actor_pool4makeEPNS_14execution_unitESt8functionIFvRNS_12actor_systemERNS_11shared_"
      "lo"
      "ckINS_6detail15shared_spinlockEEERKSt6vectorINS_5actorESaISC_EERSt10unique_ptrINS_15mailbox_"
      "ele"
      "mentENS7_8disposerEES2_EE",
      Function)(host, std::move(policy_of));
}

void actor_registry::put_impl(atom_value key, strong_actor_ptr value) {
  using Function = void (*)(actor_registry*, atom_value, strong_actor_ptr);
  World* const world = active_world();
  if (world != nullptr && world->step_name() != 0)
    world->refuse("it changes the registry of names");
  MAZURKA_ORIGINAL(
      "_ZN3caf14actor_registry8put_implENS_10atom_valueENS_13intrusive_ptrINS_19actor_co"
      "ntrol_blockEEE",
      Function)
  (this, key, std::move(value));
}

}  // namespace caf

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) noexcept {
  using Function = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (World* const world = active_world()) {
    world->refuse("it starts a thread");
    return EAGAIN;
  }
  return MAZURKA_ORIGINAL("pthread_create", Function)(thread, attributes, start, argument);
}
