// A system as its file declares it, before it becomes a network.
//
// The syntax is that of TChecker for untimed systems, one declaration per line:
//
//   system:NAME
//   event:NAME
//   int:SIZE:MIN:MAX:INITIAL:NAME
//   process:NAME{kind: client}
//   location:PROCESS:NAME{initial:}
//   edge:PROCESS:SOURCE:TARGET:EVENT{provided: x<3 : do: x=x+1}
//   sync:PROCESS@EVENT:PROCESS@EVENT?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/network.hpp"
#include "programs/automata/expression.hpp"

namespace mazurka::automata {

using Line = std::uint32_t;

struct DeclaredVariable {
  std::string name;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  std::int64_t initial = 0;
  Line line = 0;
};
struct DeclaredEdge {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  std::uint32_t event = 0;
  std::string annotation;  // as written: edges with one annotation can share an action
  std::vector<Expression> guard;
  Statements statements;
  Line line = 0;
};
enum class DeclaredKind : std::uint8_t { unsaid, client, server };
struct DeclaredProcess {
  std::string name;
  DeclaredKind kind = DeclaredKind::unsaid;
  std::vector<std::string> locations;
  std::int64_t initial = -1;
  std::vector<DeclaredEdge> edges;
  Line line = 0;
};
struct DeclaredSync {
  struct Part {
    std::uint32_t process = 0;
    std::uint32_t event = 0;
    bool weak = false;  // takes part if it can
  };
  std::vector<Part> parts;
  Line line = 0;
};

struct Document {
  std::string file;
  std::string name;
  std::vector<std::string> events;
  std::vector<DeclaredVariable> variables;
  std::vector<DeclaredProcess> processes;
  std::vector<DeclaredSync> syncs;
};

/// An error in a file: "FILE:LINE: what was expected".
class SyntaxError : public NetworkError {
 public:
  SyntaxError(const std::string& file, Line line, const std::string& message)
      : NetworkError(file + ":" + std::to_string(line) + ": " + message) {}
};

/// Reads the declarations. Throws SyntaxError.
[[nodiscard]] Document parse_document(std::string_view text, const std::string& file);

/// Makes the network. Variables become servers with a state per value, edges with one event and
/// one annotation share an action; an expression over several variables becomes one action per
/// combination of values. Throws SyntaxError.
[[nodiscard]] Network expand(const Document& document);

/// Both of the above.
[[nodiscard]] Network parse_network(std::string_view text, const std::string& file);
[[nodiscard]] Network load_network(const std::string& file);

}  // namespace mazurka::automata
