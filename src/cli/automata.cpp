#include "cli/automata.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/automata_check.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/suggest.hpp"
#include "explorers/stateful/variant.hpp"
#include "programs/automata/document.hpp"
#include "programs/automata/models.hpp"
#include "programs/automata/writer.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace mazurka::cli {

namespace {

struct AutomataOptions {
  AutomataRequest request;
  std::string max_time;
  std::string json;
  report::When color = report::When::automatic;

  std::string model;
  std::vector<int> sizes;
  std::uint64_t seed = 1;
  std::string output;
  bool dot = false;
};

void write_output(const std::string& file, const std::string& text) {
  if (file.empty() || file == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw NetworkError(file + ": cannot be written");
}

// --- check
// ------------------------------------------------------------------------------------------

std::string json_text(const AutomataOutcome& result) {
  std::string text = report::json(result.outcome);
  if (!result.stateful) return text;
  auto document = nlohmann::ordered_json::parse(text);
  const stateful::Counts& counts = result.counts;
  const auto states = static_cast<double>(std::max<std::uint64_t>(counts.states, 1));
  document["stateful"] = {{"variant", result.variant},
                          {"order", result.order},
                          {"nodes", counts.nodes},
                          {"states", counts.states},
                          {"edges", counts.edges},
                          {"subsumed", counts.subsumed},
                          {"skipped", counts.skipped},
                          {"terminal", counts.terminal},
                          {"deadlocks", counts.deadlocks},
                          {"asleep", counts.asleep},
                          {"nodes_in_vain", result.nodes_in_vain},
                          {"first_set_tests", counts.first_set_tests},
                          {"source_sets", counts.source_sets},
                          {"work", counts.work},
                          {"search_seconds", counts.seconds},
                          {"cpu_seconds", counts.cpu_seconds},
                          {"first_set_seconds", counts.first_set_seconds},
                          {"source_set_seconds", counts.source_set_seconds},
                          {"bytes", counts.bytes},
                          {"bytes_per_state", static_cast<double>(counts.bytes) / states},
                          {"certificate", result.certificate},
                          {"maximal_paths", result.maximal_paths},
                          {"full_runs", result.full_runs}};
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

CLI::App* add_check(CLI::App& app, AutomataOptions& options) {
  AutomataRequest& request = options.request;
  CLI::App* check = app.add_subcommand("check", "Explore every behaviour of a network of automata");
  check->add_option("FILE", request.file, "A network (.tck)")->required()->type_name("");
  check->add_option("--technique", request.technique,
                    "stateful (default), or a stateless one; see: mazurka techniques");
  check->add_option("--variant", request.variant,
                    "stateful: auto (default, tries several), or one of those listed below");
  check->add_option(
      "--order", request.order,
      "The order of actions: declared (default), reversed, reversed-clients, shuffled");
  check->add_option("--seed", request.seed, "For --order shuffled");
  check->add_option("--reach", request.reach,
                    "Report a state as a finding: \"P0=eats & P1=eats | x>=2\"");
  check->add_flag("--allow-deadlock", request.allow_deadlock, "A deadlock is no finding");
  check->add_flag("--certify", request.certify,
                  "Prove the explored graph complete (small systems only)");
  check->add_flag("--paths", request.paths, "Count the paths of the explored graph");
  check->add_option("--dot", request.dot, "Draw the explored graph into FILE, in the DOT language");
  check->add_option("--max-nodes", request.max_nodes, "Stop after N nodes");
  check->add_option("--max-executions", request.limits.max_executions,
                    "Stateless techniques: stop after N executions");
  check->add_option("--max-time", options.max_time, "Stop after this time: 10s, 5m, 1h");
  check->add_flag("--keep-going", request.limits.keep_going, "Go on after a finding");
  check->add_option("--json", options.json, "Write the outcome as JSON to FILE (- for stdout)");
  static const std::map<std::string, report::When> when{{"auto", report::When::automatic},
                                                        {"always", report::When::always},
                                                        {"never", report::When::never}};
  check->add_option("--color", options.color, "Colours: auto, always, never")
      ->transform(CLI::CheckedTransformer(when).description(""));
  check->add_option("--progress", "Accepted and ignored: a network is explored silently");
  for (const std::string name : {"--save", "--resume"}) {
    check
        ->add_option_function<std::string>(
            name,
            [name](const std::string&) {
              throw CLI::ValidationError(
                  name, "a search in a network of automata can not be saved and resumed");
            },
            "Only for programs of threads")
        ->group("");
  }
  std::string list = "Variants:\n";
  for (const stateful::Variant& variant : stateful::variants()) {
    list += "  " + std::string(variant.name) + std::string(18 - variant.name.size(), ' ') +
            std::string(variant.summary) + "\n";
  }
  check->footer(list);
  return check;
}

int run_check(AutomataOptions& options) {
  if (!options.max_time.empty()) {
    const auto seconds = parse_seconds(options.max_time);
    if (!seconds) throw NetworkError("'" + options.max_time + "' is no time; write 10s, 5m or 1h");
    options.request.limits.max_seconds = *seconds;
  }
  const Outputs outputs{options.json, {}, {}, {options.request.file}};
  announce(outputs, options.request.file);
  const AutomataOutcome result = check_automata(options.request);
  return deliver(outputs, result.outcome, json_text(result),
                 report::detect_style(options.color, stdout));
}

// --- generate and convert
// ---------------------------------------------------------------------------

std::string model_list() {
  std::string list = "Models:\n";
  for (const automata::Model& model : automata::models()) {
    list += "  " + std::string(model.name) + " N" + std::string(12 - model.name.size(), ' ') +
            std::string(model.summary) + "\n";
  }
  return list + "  locks C K [L]  C clients that take K random ones of L locks (default 10)\n";
}

Network generate(const AutomataOptions& options) {
  const std::vector<int>& sizes = options.sizes;
  if (options.model == "locks") {
    const int locks = sizes.size() > 2 ? sizes[2] : 10;
    if (sizes.size() < 2 || sizes.size() > 3 || sizes[0] < 1 || sizes[0] > 1000 || locks > 1000 ||
        sizes[1] < 1 || sizes[1] > locks) {
      throw NetworkError(
          "expected: locks CLIENTS LOCKS_PER_CLIENT [LOCKS], with at most as many "
          "locks per client as there are locks");
    }
    return automata::multi_locks(sizes[0], sizes[1], locks, options.seed);
  }
  const automata::Model* model = automata::find_model(options.model);
  if (model == nullptr) {
    std::vector<std::string_view> names{"locks"};
    for (const automata::Model& one : automata::models()) names.push_back(one.name);
    const std::string_view close = nearest(options.model, names);
    throw NetworkError("there is no model '" + options.model + "'" +
                       (close.empty() ? "" : "; did you mean " + std::string(close) + "?") + "\n" +
                       model_list());
  }
  if (sizes.size() != 1 || sizes[0] < model->smallest || sizes[0] > model->largest) {
    throw NetworkError("expected one size between " + std::to_string(model->smallest) + " and " +
                       std::to_string(model->largest) + " for model " + options.model);
  }
  return model->make(sizes[0]);
}

int run_generate(const AutomataOptions& options) {
  write_output(options.output, automata::write_network(generate(options)));
  return 0;
}

int run_convert(const AutomataOptions& options) {
  const Network network = automata::load_network(options.request.file);
  write_output(options.output, options.dot ? automata::processes_to_dot(network)
                                           : automata::write_network(network));
  return 0;
}

/// Whether the command line is about automata at all.
bool concerns_automata(int argc, const char* const* argv) {
  if (argc < 2) return false;
  const std::string_view command = argv[1];
  if (command == "generate" || command == "convert") return true;
  if (command != "check") return false;
  for (int at = 2; at < argc; ++at) {
    const std::string_view word = argv[at];
    if (word == "--") return false;
    if (!word.starts_with("-") && word.ends_with(".tck")) return true;
  }
  return false;
}

}  // namespace

std::optional<int> run_automata(int argc, const char* const* argv) {
  if (!concerns_automata(argc, argv)) return std::nullopt;
  AutomataOptions options;
  CLI::App app{"Networks of automata", "mazurka"};
  app.require_subcommand(1);
  CLI::App* check = add_check(app, options);
  CLI::App* make = app.add_subcommand("generate", "Write a model of the literature");
  make->add_option("MODEL", options.model, "Which one")->required()->type_name("");
  make->add_option("SIZE", options.sizes, "Its size")->required()->type_name("");
  make->add_option("--seed", options.seed, "For random models (default 1)");
  make->add_option("-o,--output", options.output, "Write to FILE (default: standard output)");
  make->footer(model_list());
  CLI::App* convert = app.add_subcommand("convert", "Read a network and write it again, expanded");
  convert->add_option("FILE", options.request.file, "A network (.tck)")->required()->type_name("");
  convert->add_option("-o,--output", options.output, "Write to FILE (default: standard output)");
  convert->add_flag("--dot", options.dot, "Draw the processes in the DOT language instead");
  try {
    app.parse(argc, argv);
    if (check->parsed()) return run_check(options);
    return make->parsed() ? run_generate(options) : run_convert(options);
  } catch (const CLI::Success& success) {
    return app.exit(success, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    say("error", error.what() + std::string("\nSee: mazurka ") + argv[1] + " --help");
    deliver_error(outputs_in(argc, argv), options.request.file, error.what());
  } catch (const std::exception& error) {
    say("error", error.what());
    const Outputs outputs{options.json, {}, {}, {options.request.file}};
    if (check->parsed()) deliver_error(outputs, options.request.file, error.what());
  }
  return static_cast<int>(Verdict::error);
}

}  // namespace mazurka::cli
