#include "native/printer.hpp"

#include <algorithm>

#include "native/printer_prelude.hpp"
#include "native/program_printer.hpp"

namespace mazurka::native {

std::string print(std::span<const Program> programs, const Style& style) {
  const bool cpp = style.language == Language::cpp;
  std::string text = cpp ? prelude_cpp : prelude_c;
  text += prelude;
  const auto outside = [](const Program& one) { return goes_outside_main(one); };
  const bool early = std::any_of(programs.begin(), programs.end(), outside);
  if (early) text += prelude_early;
  for (std::size_t at = 0; at < programs.size(); ++at) {
    text += "\n// ---- program " + std::to_string(at) + ": " + programs[at].profile + " ----\n\n";
    text += ProgramPrinter(programs[at], style, at).print();
  }
  text += "\nint main(int argc, char** argv) {\n";
  if (!early) text += "  if (argc > 2) wanted = argv[2];\n";
  text += "  switch (argc > 1 ? atoi(argv[1]) : 0) {\n";
  for (std::size_t at = 0; at < programs.size(); ++at) {
    const std::string number = std::to_string(at);
    text += "    case " + number + ": p" + number + "_main(); break;\n";
  }
  text += "    default: return 2;\n  }\n  return 0;\n}\n";
  return text;
}

}  // namespace mazurka::native
