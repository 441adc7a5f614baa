#include "report/formats.hpp"

#include "report/dot.hpp"
#include "report/executions.hpp"
#include "report/html/html.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/mermaid.hpp"
#include "report/sarif.hpp"

namespace mazurka::report {

std::span<const Format> formats() {
  static constexpr Format rows[] = {
      {"--json", "Write the outcome as JSON to FILE (- for stdout)", json, true},
      {"--html", "Write the outcome as a page for a browser to FILE", html, false, true},
      {"--junit", "Write the outcome as a JUnit report to FILE", junit},
      {"--dot", "Write graphs of the findings and of the search in the DOT language to FILE", dot,
       true, true},
      {"--mermaid", "Write them as Mermaid diagrams in Markdown to FILE", mermaid, true, true},
      {"--executions", "List all executions of a small program, with their final states, in FILE",
       executions, true, true},
      {"--sarif", "Write the findings as SARIF 2.1.0 to FILE", sarif},
  };
  return rows;
}

}  // namespace mazurka::report
