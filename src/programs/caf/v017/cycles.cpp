#include "programs/caf/v017/cycles.hpp"

#include <new>

#include "programs/caf/v017/world.hpp"

namespace mazurka::caf::v017 {

namespace {

/// In the place of an actor that is gone.
class Gone final : public ::caf::monitorable_actor {
 public:
  explicit Gone(::caf::actor_config& config) : monitorable_actor(config) {
    cleanup(::caf::exit_reason::kill, nullptr);  // who waits for its end hears of it at once
  }
  using abstract_actor::enqueue;
  void enqueue(::caf::mailbox_element_ptr, ::caf::execution_unit*) override {
    if (World* const world = active_world()) {
      world->refuse(
          "it sends to an actor of an earlier execution, which it has kept in a variable");
    }
  }
  static void destroy(::caf::abstract_actor* actor) { static_cast<Gone*>(actor)->~Gone(); }
};

// The library means it never to change, and looks at it when the last reference goes.
void set_destructor(::caf::actor_control_block& block,
                    ::caf::actor_control_block::data_destructor destructor) {
  const_cast<::caf::actor_control_block::data_destructor&>(block.data_dtor) = destructor;
}

void do_nothing(::caf::abstract_actor*) {}

}  // namespace

void destroy(const std::vector<::caf::actor_addr>& actors) {
  ::caf::actor_config config;
  for (const ::caf::actor_addr& one : actors) {
    ::caf::actor_control_block* const block = ::caf::actor_cast<::caf::actor_control_block*>(one);
    if (block->strong_refs == 0) continue;
    // What it holds may hold it: it must not be destroyed twice.
    const auto destructor = block->data_dtor;
    set_destructor(*block, do_nothing);
    destructor(block->get());
    if (block->strong_refs == 0) continue;
    static_assert(sizeof(Gone) <= sizeof(::caf::scheduled_actor));
    new (block->get()) Gone(config);
    set_destructor(*block, Gone::destroy);
  }
}

}  // namespace mazurka::caf::v017
