// The kinds of programs that can be checked. What a row names is in the file of that kind (kinds/).
#include <algorithm>

#include "cli/kind.hpp"
#include "cli/kinds/promela.hpp"
#include "cli/native.hpp"
#include "cli/parts.hpp"
#include "explorers/stateful/variant.hpp"

namespace mazurka::cli {

void declare_threads(Declare& declare, Options& options);
void settle_threads(const CLI::App& check, const Options& options, const Technique& technique);

bool is_of_actors(const std::string& program);
std::vector<std::string_view> actor_orders();
void declare_actors(Declare& declare, Options& options);
std::span<const Refusal> refused_by_actors();

bool is_of_caf(const std::string& program);
void declare_caf(Declare& declare, Options& options);
std::span<const Refusal> refused_by_caf();

bool is_of_mpi(const std::string& program);
void declare_mpi(Declare& declare, Options& options);
void settle_mpi(const CLI::App& check, const Options& options, const Technique& technique);
int check_mpi(const Options& options, const Tell& tell);
std::span<const Refusal> refused_by_mpi();

bool is_network(const std::string& program);
void declare_networks(Declare& declare, Options& options);
std::span<const Refusal> refused_by_networks();
void settle_network(const CLI::App& check, const Options& options, const Technique& technique);

std::span<const Refusal> refused_by_promela();
void settle_promela(const CLI::App& check, const Options& options, const Technique& technique);

namespace {

constexpr Needs of_threads[] = {Needs::states, Needs::persistence, Needs::graphs};
constexpr Needs of_actors[] = {Needs::states, Needs::messages, Needs::persistence};
constexpr Needs of_caf[] = {Needs::messages, Needs::persistence};
constexpr Needs of_networks[] = {Needs::a_network};
constexpr std::string_view of_compiled_programs[] = {"--compiler", "--measure-replay"};
constexpr std::string_view of_caf_programs[] = {"--compiler", "--races"};
constexpr std::string_view of_mpi_programs[] = {
    "--races",         "--volatile", "--memory",     "--heap",          "--leaks",
    "--uninitialised", "--spurious", "--weak-cas",   "--exit-code",     "--shorten",
    "--checkpoints",   "--liveness", "--max-stall",  "--compiler",      "--measure-replay",
    "--cluster",       "--save",     "--save-every", "--measure-tasks", "--resume"};
constexpr std::string_view of_promela_models[] = {"--variant", "--allow-deadlock", "--max-nodes"};
int check_as_a_part(const Options& options, const Tell& tell) {
  return parts()->check_network(options, tell);
}

constexpr Kind rows[] = {
    {.name = "threads",
     .one = "a program with threads",
     .programs = "programs with threads",
     .help = "C or C++ source file, or a binary built with mazurka-cc or mazurka-c++",
     .check = check_native,
     .offers = of_threads,
     .declare = declare_threads,
     .settle = settle_threads},
    {.name = "actors",
     .one = "a program of actors",
     .programs = "programs of actors",
     .help = "C++ source file that includes mazurka/actors.hpp, or a binary linked with "
             "libmazurka-actors",
     .recognises = is_of_actors,
     .check = check_native,
     .offers = of_actors,
     .orders = actor_orders,
     .order_help = "Actors: which message comes next where the search does not care: fifo "
                   "(default), eca or lca (earliest or latest created actor), or urgent",
     .declare = declare_actors,
     .takes = of_compiled_programs,
     .refuses = refused_by_actors},
    {.name = "caf",
     .one = "a program of CAF",
     .programs = "programs of CAF",
     .help = "C++ source file with CAF_MAIN, or that includes mazurka/caf.hpp, or a binary linked "
             "with libmazurka-caf",
     .recognises = is_of_caf,
     .check = check_native,
     .offers = of_caf,
     .declare = declare_caf,
     .takes = of_caf_programs,
     .refuses = refused_by_caf},
    {.name = "mpi",
     .one = "a program of MPI",
     .programs = "programs of MPI",
     .help = "C or C++ source file that includes mpi.h, or a binary built with mazurka-mpicc or "
             "mazurka-mpicxx; with --ranks N",
     .recognises = is_of_mpi,
     .check = check_mpi,
     .declare = declare_mpi,
     .takes = of_mpi_programs,
     .refuses = refused_by_mpi,
     .settle = settle_mpi},
    {.name = "automata",
     .one = "a network of automata",
     .programs = "networks of automata (.tck)",
     .help = "network of automata: a file that ends in .tck",
     .recognises = is_network,
     .is_a_part = true,
     .check = check_as_a_part,
     .offers = of_networks,
     .usual_technique = "stateful",
     .why_no_extra = "it is not compiled, and takes no arguments",
     .orders = stateful::order_names,
     .order_help =
         "Networks, beside --variant: the order of actions, declared (default), "
         "reversed, reversed-clients, or shuffled by --seed; or of nodes, breadth-first or "
         "priority (fewest asleep first)",
     .declare = declare_networks,
     .refuses = refused_by_networks,
     .settle = settle_network},
    {.name = "promela",
     .one = "a Promela model",
     .programs = "Promela models (.pml)",
     .help = "Promela model: a file that ends in .pml or .promela",
     .recognises = is_promela,
     .is_a_part = true,
     .check = check_as_a_part,
     .offers = of_networks,
     .usual_technique = "stateful",
     .why_no_extra = "it is not compiled, and takes no arguments",
     .orders = stateful::order_names,
     .order_help = "Promela models: as networks",
     .takes = of_promela_models,
     .refuses = refused_by_promela,
     .settle = settle_promela},
};

}  // namespace

// Each kind is known by its name, and has what it is checked by.
static_assert([] {
  for (const Kind& one : rows) {
    if (one.name.empty() || one.one.empty() || one.help.empty() || one.check == nullptr)
      return false;
    for (const Kind& other : rows) {
      if (&one != &other && one.name == other.name) return false;
    }
  }
  return true;
}());

std::span<const Kind> kinds() { return rows; }

bool Kind::takes_technique(const Technique& technique) const {
  return technique.needs == Needs::nothing ||
         std::find(offers.begin(), offers.end(), technique.needs) != offers.end();
}

const Kind* kind_named(std::string_view name) {
  const std::span<const Kind> all = kinds();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Kind& kind) { return kind.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const Kind& kind_of(const std::string& program) {
  const std::span<const Kind> all = kinds();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Kind& kind) {
    return kind.recognises != nullptr && kind.recognises(program);
  });
  if (found != all.end()) return *found;
  return *std::find_if(all.begin(), all.end(),
                       [](const Kind& kind) { return kind.recognises == nullptr; });
}

}  // namespace mazurka::cli
