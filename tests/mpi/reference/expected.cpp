#include "mpi/reference/expected.hpp"

#include "mpi/reference/machine.hpp"

namespace mazurka::mpi_reference {

namespace {

MachineOptions options_of(const Way& way) {
  MachineOptions options;
  if (way.buffering == "zero") options.buffering = Buffering::zero;
  if (way.buffering == "each") options.buffering = Buffering::each;
  options.loose = way.collectives == "loose";
  return options;
}

}  // namespace

Expected expect(const Program& program, const Way& way) {
  Expected expected;
  const bool tests = has_tests(program);
  MachineOptions options = options_of(way);
  const Explored late = explore(program, options);
  options.eager = true;
  const Explored early = tests && late.complete ? explore(program, options) : late;
  expected.complete = late.complete && early.complete;
  expected.most = late.outcomes;
  for (const auto& [outcome, endings] : early.outcomes) expected.least.insert(outcome);
  expected.countable = !tests && is_all_seen(program);
  return expected;
}

}  // namespace mazurka::mpi_reference
