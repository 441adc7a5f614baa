#include "cli/parts.hpp"

#include <string_view>

#include "cli/beside.hpp"
#include "cli/kinds/promela.hpp"
#include "core/check.hpp"

namespace mazurka::cli {

namespace {

const Parts* own = nullptr;

}  // namespace

const Parts* parts() { return own; }
void set_parts(const Parts& parts) { own = &parts; }

bool needs_parts(const Options& options) {
  switch (options.command) {
    case Command::check:
      MAZURKA_CHECK(options.kind != nullptr, "what is checked is of some kind");
      return options.kind->is_a_part || !options.elsewhere.empty();
    case Command::replay: return is_promela_schedule(options.schedule);
    case Command::generate:
    case Command::convert:
    case Command::work:
    case Command::status:
    case Command::cancel: return true;
    case Command::techniques:
    case Command::studio:
    case Command::version: break;
  }
  return false;
}

bool needs_parts(int argc, const char* const* argv) {
  if (argc < 2) return false;
  const std::string_view command = argv[1];
  return command == "generate" || command == "manual";
}

void become_whole(char** argv) {
  MAZURKA_CHECK(own == nullptr, "what is whole becomes nothing else");
  become("mazurka-whole", argv, "build all of Mazurka (./dev build), or install it again");
}

}  // namespace mazurka::cli
