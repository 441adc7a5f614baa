// mazurka-whole: the program with all its parts.
#include "cli/parts.hpp"
#include "cli/program.hpp"
#include "cli/whole/automata.hpp"
#include "cli/whole/cluster.hpp"
#include "cli/whole/promela_replay.hpp"
#include "programs/automata/models.hpp"

int main(int argc, char** argv) {
  using namespace mazurka;
  static constexpr cli::Parts all = {.check_network = cli::check_network,
                                     .replay_promela = cli::replay_promela,
                                     .generate_network = cli::generate_network,
                                     .convert_network = cli::convert_network,
                                     .models = automata::models,
                                     .make_elsewhere = cli::make_elsewhere,
                                     .work_for_cluster = cli::work_for_cluster,
                                     .show_cluster = cli::show_cluster,
                                     .cancel_in_cluster = cli::cancel_in_cluster};
  cli::set_parts(all);
  return cli::run_program(argc, argv);
}
