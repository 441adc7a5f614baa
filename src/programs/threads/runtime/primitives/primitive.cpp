#include "programs/threads/runtime/primitives/primitive.hpp"

namespace mazurka::threads {

// What a primitive does wrong is told apart from others by where it was asked for.
ObjectId Primitive::object_at(const void* address, std::uint8_t kind) {
  const void* code = __builtin_return_address(0);
  watchers_.heap.check(address_of(address), sizeof(int), true, code);
  (void)*static_cast<const volatile char*>(address);  // crashes here if there is no such memory
  watchers_.races.use_primitive(address, code);
  return names_.object_for(address_of(address), kind);
}

void Primitive::own(Action action, const void* address, const Access& access) {
  if (alone() || in_section()) {
    self().watch.progress();
    return;
  }
  Step step(scheduler_, action, address_of(address));
  step.await(access);
  step.record();
  step.commit(scheduler_.value_of(access.object));
}

void Primitive::write_word(const void* address, std::uint32_t word) {
  const std::uintptr_t where = address_of(address);
  if (state_.tracking) state_.tracker.will_write(where, sizeof word, !in_zone(where));
  *reinterpret_cast<volatile std::uint32_t*>(where) = word;
}

}  // namespace mazurka::threads
