// The parts of a translation, and how a network is made of them.
#pragma once

#include <string>
#include <vector>

#include "programs/promela/objects.hpp"
#include "programs/promela/translation.hpp"

namespace mazurka::promela {

struct Client {
  std::uint32_t process = 0;
  LocationId resting = 0;    // where it does nothing at all
  Numbered locals;           // bytes of the process, and whether an assertion has failed
  std::vector<Pasts> pasts;  // of the local states
  std::vector<NetworkTransition> edges;
};
struct Move {
  ActionId action = 0;
  Knowledge::Entry before;
  std::uint32_t after = 0;
};

struct Parts {
  std::vector<SharedObject> objects;
  std::vector<Client> clients;
  std::vector<std::vector<Move>> moves;  // per object

  [[nodiscard]] const Location& location_of(std::uint32_t client, std::uint32_t local,
                                            const Model& model) const {
    const Bytes& bytes = clients[client].locals[local];
    return model.proctypes[bytes[0]].locations[bytes[1] | std::size_t{bytes[2]} << 8];
  }
  [[nodiscard]] std::string name_of(std::uint32_t client, const Model& model) const {
    return model.proctypes[clients[client].locals[0][0]].name + " " +
           std::to_string(clients[client].process);
  }
};

/// The only way the model can begin, while one process is alone: it starts the others.
void play_prelude(const Model& model, Translation& translation);

/// The network, and when an assertion has failed in it. Throws NotTranslated.
void assemble(const Model& model, const Parts& parts, Translation& translation);

}  // namespace mazurka::promela
