// What a program calls in the place of CAF's own main.
#include <cstdio>
#include <stdexcept>

#include "host/channel.hpp"
#include "mazurka/caf.hpp"
#include "programs/caf/v017/coordinator.hpp"
#include "programs/caf/v017/self_test.hpp"
#include "programs/caf/v017/world.hpp"
#include "programs/caf/worker.hpp"

namespace mazurka::caf {

int run(::caf::actor_system_config& config, const Main& main, const std::string& modules) {
  const auto channel = host::inherited_channel();
  std::string refusal;
  if (!modules.empty()) {
    refusal = "the program loads " + modules +
              ": only what happens inside the process can be explored, without io, brokers and "
              "remote actors";
  }
  v017::use_coordinator(config);
  ::caf::actor_system system(config);
  if (refusal.empty()) refusal = v017::self_test(system);
  v017::World world(system, main);
  if (channel) return answer(&world, refusal, *channel);
  if (refusal.empty()) return perform_once(world);
  std::fprintf(stderr, "%s\n", refusal.c_str());
  return 2;
}

}  // namespace mazurka::caf
