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

}  // namespace mazurka::threads
