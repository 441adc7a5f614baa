// What mazurka/messages.hpp calls.
#include <unistd.h>

#include "programs/threads/runtime/hooks/hooks.hpp"

namespace {

using mazurka::threads::runtime;
using mazurka::threads::scheduled;

void require_checker() {
  if (scheduled()) return;
  constexpr char message[] =
      "This program passes messages (mazurka/messages.hpp): run it with `mazurka check`.\n";
  (void)!write(2, message, sizeof message - 1);
  mazurka::threads::native()._exit(2);
}

std::uintptr_t address_of(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

}  // namespace

MAZURKA_HOOK std::uint64_t __mazurka_messages_request(int call, const void* object,
                                                      std::uint64_t payload,
                                                      std::uint32_t parameter) {
  require_checker();
  return runtime->messages.request(call, address_of(object), payload, parameter);
}
MAZURKA_HOOK void __mazurka_messages_change(int call, const void* object) {
  require_checker();
  runtime->messages.change(call, address_of(object));
}
MAZURKA_HOOK int __mazurka_messages_test(const std::uint64_t* requests, int count) {
  require_checker();
  return runtime->messages.test({requests, static_cast<std::size_t>(count)});
}
MAZURKA_HOOK void __mazurka_messages_wait(std::uint64_t request) {
  require_checker();
  runtime->messages.wait(request);
}
MAZURKA_HOOK int __mazurka_messages_wait_any(const std::uint64_t* requests, int count) {
  require_checker();
  return runtime->messages.wait_any({requests, static_cast<std::size_t>(count)});
}
MAZURKA_HOOK std::uint64_t __mazurka_messages_payload(std::uint64_t request) {
  require_checker();
  return runtime->messages.payload(request);
}
MAZURKA_HOOK std::uint64_t __mazurka_messages_latest(const void* mutex) {
  require_checker();
  return runtime->messages.latest_request(address_of(mutex));
}
