#include "fuzz/targets.hpp"

#include <cstddef>
#include <cstring>
#include <memory>

#include "core/archive.hpp"
#include "core/check.hpp"
#include "core/network.hpp"
#include "core/session.hpp"
#include "driver/exploration_file.hpp"
#include "explorers/stateful/search.hpp"
#include "explorers/table.hpp"
#include "host/exploration.hpp"
#include "host/files.hpp"
#include "host/flags.hpp"
#include "host/schedule_file.hpp"
#include "host/wire.hpp"
#include "oracle/generator.hpp"
#include "oracle/model_program.hpp"
#include "oracle/saved_search.hpp"
#include "programs/automata/document.hpp"
#include "programs/automata/models.hpp"
#include "programs/automata/writer.hpp"
#include "programs/threads/host/storyteller.hpp"
#include "programs/threads/host/symbols.hpp"
#include "report/html/html.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/model/outcome.hpp"
#include "report/sarif.hpp"
#include "report/text.hpp"

namespace mazurka::fuzz {

namespace {

using namespace mazurka::host;
using namespace mazurka::threads;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span<const char>(text));
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// --- requests and replies ------------------------------------------------------------------------

std::vector<std::string> requests() {
  Request request;
  request.schedule = {{ProcessId{0}, 0}, {ProcessId{1}, 3}};
  request.crashing = {{request.schedule, "killed by SIGSEGV"}};
  request.save_file = "/somewhere/x.exploration";
  return {text_of(encode(Request{})), text_of(encode(request))};
}

bool take_request(const std::string& input) {
  try {
    (void)decode_request(bytes_of(input));
    return true;
  } catch (const WireError&) {
    return false;
  }
}

RawFinding finding_of(FindingKind kind) {
  RawFinding raw;
  raw.finding.kind = kind;
  raw.finding.process = ProcessId{1};
  raw.finding.message = "x";
  raw.finding.schedule = {{ProcessId{0}, 1}};
  raw.story.processes = {{ProcessId{0}, no_process, 0, 0}, {ProcessId{1}, ProcessId{0}, 0, 0x99}};
  raw.story.waiting = {{ProcessId{0}, Action::join, 0, ProcessId{1}, no_process, false, {0x30}},
                       {ProcessId{1}, Action::lock, 0x5000, no_process, ProcessId{0}, false, {}}};
  raw.story.blocks = {{0x5000, 24, ProcessId{1}, 3, {0x40}}};
  raw.story.stacks = {{ProcessId{0}, 0x7000, 0x8000}};
  for (unsigned action = 0; action <= static_cast<unsigned>(Action::wait_condition); ++action) {
    RawEvent event;
    event.process = ProcessId{static_cast<std::uint16_t>(action % 2)};
    event.action = static_cast<Action>(action);
    event.flags = action < 2 ? flag_plain | flag_racing : 0;
    event.size = 8;
    event.position = action;
    event.address = 0x5000 + 8 * (action % 3);
    event.second_address = 0x7008;
    event.value = action;
    event.peer = ProcessId{static_cast<std::uint16_t>((action + 1) % 2)};
    event.stack = {0x10, 0x20};
    event.ends = {0x7100, 0};
    raw.story.events.push_back(event);
  }
  raw.shortened = {true, 2, true, false, 1};
  return raw;
}

std::vector<std::string> replies() {
  std::vector<std::string> samples{text_of(encode(Reply{}))};
  for (const FindingKind kind :
       {FindingKind::data_race, FindingKind::deadlock, FindingKind::assertion}) {
    Reply reply;
    reply.complete = true;
    reply.findings = {finding_of(kind)};
    reply.notes = {"a note"};
    reply.modules = {{0x5555'0000, "./no-such-program"}};
    reply.replayed = reply.findings[0].story;
    reply.divergence = {{3, "lock m", "read clock"}};
    samples.push_back(text_of(encode(reply)));
    // The same, told by the front-end itself.
    Story story;
    story.layout = StoryLayout::chart;
    story.processes = {"main", "T1"};
    story.rows.resize(3);
    story.rows[1].process = 1;
    story.rows[1].from = 0;
    story.rows[2].read_from = 1;
    story.rows[2].failing = true;
    story.rows[2].event.deed = Deed::message;
    story.rows[2].event.object = 0;
    story.rows[2].event.after = {0, 1};
    story.objects = {{"state", ObjectType::other}};
    for (StoryRow& row : story.rows) row.stack = {"f (x.c:1)"};
    story.endings = story.drawing = {"a line"};
    reply.findings[0].told = {story};
    samples.push_back(text_of(encode(reply)));
  }
  return samples;
}

/// As far as the checker goes with it: all forms of the report.
bool take_reply(const std::string& input) {
  try {
    const Reply reply = decode_reply(bytes_of(input));
    const Symbols symbols({});
    Outcome outcome;
    outcome.verdict = Verdict::finding;
    outcome.statistics = reply.statistics;
    outcome.notes = reply.notes;
    for (const RawFinding& raw : reply.findings) {
      FindingReport report;
      report.finding = raw.finding;
      report.story =
          raw.told.empty()
              ? Storyteller(symbols, raw.story).tell(&report.finding, raw.shortened.no_return)
              : raw.told.front();
      outcome.findings.push_back(report);
    }
    (void)report::text(outcome, report::Style{.stacks = true});
    (void)report::json(outcome);
    (void)report::junit(outcome);
    (void)report::sarif(outcome);
    (void)report::html(outcome);
    return true;
  } catch (const WireError&) {
    return false;
  }
}

// --- rules that are broken by changed data
// --------------------------------------------------------

/// What is left of a search may be changed so that it can be read and means nothing. The check that
/// notices ends the process, and there is no verdict: that is a refusal, too.
struct BrokenRule {};

class ChecksRefuse {
 public:
  ChecksRefuse() {
    on_failed_check([](const char*) { throw BrokenRule(); });
  }
  ChecksRefuse(const ChecksRefuse&) = delete;
  ChecksRefuse& operator=(const ChecksRefuse&) = delete;
  ~ChecksRefuse() { on_failed_check(nullptr); }
};

// --- schedules and explorations ------------------------------------------------------------------

ScheduleFile schedule_sample() {
  ScheduleFile schedule;
  schedule.target.shown = "x.c";
  schedule.target.source = "x.c";
  schedule.target.binary = ".mazurka/x-01234567";
  schedule.target.folder = "/somewhere";
  schedule.target.flags = {"-DN=2", "-I", "include", "-Wall"};
  schedule.target.arguments = {"--fast"};
  schedule.binary_identity = schedule.source_identity = "0123456789abcdef";
  schedule.kind = "deadlock";
  schedule.message = "main waits";
  schedule.decisions = {{ProcessId{0}, 0}, {ProcessId{3}, 7}};
  return schedule;
}

std::vector<std::string> schedules() { return {to_text(schedule_sample())}; }

bool take_schedule(const std::string& input) {
  try {
    const ScheduleFile schedule = schedule_from_text(input, "fuzzed.schedule");
    (void)why_refused(schedule.target.flags, "/nowhere");
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::vector<std::string> explorations() {
  ExplorationFile file;
  file.about = describe_exploration(schedule_sample(), Request{});
  file.state.assign(200, std::byte{7});
  return {text_of(encode_exploration(file))};
}

/// Whoever writes such a file can make a checksum that fits, so it is made to fit here.
bool take_exploration(const std::string& input) {
  std::string fitting = input;
  if (fitting.size() >= 16) {
    std::uint64_t sum =
        RunningHash().add(std::string_view(fitting).substr(0, fitting.size() - 8)).value();
    for (std::size_t at = fitting.size() - 8; at < fitting.size(); ++at, sum >>= 8U) {
      fitting[at] = static_cast<char>(sum & 0xffU);
    }
  }
  bool taken = false;
  for (const std::string& bytes : {input, fitting}) {
    try {
      const std::span<const std::byte> read = bytes_of(bytes);
      (void)saved_exploration(decode_exploration({read.begin(), read.end()}).about,
                              "fuzzed.exploration");
      taken = true;
    } catch (const ArchiveError&) {
      continue;
    } catch (const InputError&) {
      continue;
    }
  }
  return taken;
}

// --- what a search knows, inside an exploration --------------------------------------------------

const oracle::Model& some_model() {
  static const oracle::Model model = oracle::random_model(903, oracle::feature_sets().front());
  return model;
}

/// The technique's number, and what it and its session save when they are in the middle.
std::vector<std::string> searches() {
  std::vector<std::string> samples;
  const std::vector<const Technique*> techniques = oracle::resumable_techniques();
  for (std::size_t number = 0; number < techniques.size(); ++number) {
    for (const std::uint64_t executions : {1U, 4U, 9U}) {
      oracle::ModelProgram program(some_model());
      Session session(program, {.max_executions = executions, .keep_going = true});
      const std::unique_ptr<Explorer> explorer = techniques[number]->make();
      std::vector<std::byte> saved;
      oracle::save_when_stopped(session, *explorer, saved);
      (void)explorer->explore(session);
      if (!saved.empty())
        samples.push_back(std::string(1, static_cast<char>(number)) + text_of(saved));
    }
  }
  return samples;
}

bool take_search(const std::string& input) {
  if (input.empty()) return false;
  const std::vector<const Technique*> techniques = oracle::resumable_techniques();
  const std::size_t number = static_cast<unsigned char>(input[0]) % techniques.size();
  oracle::ModelProgram program(some_model());
  Session session(program, {.keep_going = true});
  int performed = 0;
  session.on_execution = [&](const Execution&) {
    if (++performed == 50) session.interrupt();
  };
  const std::unique_ptr<Explorer> explorer = techniques[number]->make();
  try {
    ArchiveReader archive(bytes_of(input).subspan(1));
    const ChecksRefuse checks;
    (void)oracle::resume(session, *explorer, archive);
    return true;
  } catch (const ArchiveError&) {
    return false;
  } catch (const BrokenRule&) {
    return false;
  }
}

// --- networks of automata ------------------------------------------------------------------------

std::vector<std::string> networks() {
  std::vector<std::string> samples{
      "system:s\nevent:a\nevent:b\nint:1:0:3:0:x\nint:1:-2:2:1:y\nprocess:P{kind: client}\n"
      "location:P:l0{initial:}\nlocation:P:l1\nlocation:P:l2\nprocess:Q{kind: server}\n"
      "location:Q:m{initial:}\nedge:P:l0:l1:a{provided: x<3 && y!=x*2 : do: x=x+1; y=-y}\n"
      "edge:P:l1:l2:b{do: x=(x+1)%3}\nedge:Q:m:m:b\nsync:P@b:Q@b\n"};
  for (const automata::Model& model : automata::models()) {
    samples.push_back(automata::write_network(model.make(model.smallest)));
    if (samples.back().size() > 4000) samples.pop_back();
  }
  return samples;
}

bool take_network(const std::string& input) {
  try {
    const Network network = automata::parse_network(input, "fuzzed.tck");
    (void)automata::write_network(network);
    stateful::Settings settings;
    settings.max_work = 20'000;
    settings.variant = stateful::variants().front();
    validate(network);
    (void)stateful::search(stateful::System(network), settings);
    return true;
  } catch (const NetworkError&) {
    return false;
  }
}

bool take_predicate(const std::string& input) {
  static const Network network = automata::parse_network(networks().front(), "sample.tck");
  try {
    (void)parse_predicate(network, input);
    return true;
  } catch (const NetworkError&) {
    return false;
  }
}

const std::vector<std::string> json_words{"{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "\"",
                                          "null",
                                          "true",
                                          "-1",
                                          "1e999",
                                          "1.5",
                                          "65536",
                                          "4294967296",
                                          "18446744073709551616",
                                          "\\u0000",
                                          "\\ud800",
                                          "\xff",
                                          "[[[[[[[[",
                                          "{\"a\":",
                                          "\"flags\":[",
                                          "\"-fplugin=x\"",
                                          "\"decisions\":[[0,0]]",
                                          "\"mazurka_schedule\":1",
                                          "99999999999999999999"};
const std::vector<std::string> network_words{"system:",
                                             "event:",
                                             "int:1:0:3:0:z\n",
                                             "process:",
                                             "location:",
                                             "edge:P:l0:l1:a",
                                             "sync:",
                                             "{provided: ",
                                             "do: ",
                                             "}",
                                             ":",
                                             "@",
                                             "(",
                                             "((((((((",
                                             ")",
                                             "&&",
                                             "||",
                                             "==",
                                             "<=",
                                             "!",
                                             "-",
                                             "9223372036854775807",
                                             "-9223372036854775808",
                                             "99999999999999999999",
                                             "/0",
                                             "%0",
                                             "x",
                                             "\n",
                                             "int:1:0:2147483647:0:w\n",
                                             "*",
                                             "x=x*x*x*x;",
                                             "\t",
                                             "\r",
                                             "#",
                                             "{initial:}",
                                             "kind: client"};

}  // namespace

std::span<const Target> targets() {
  static const Target all[] = {
      {"request", requests, {}, false, take_request},
      {"reply", replies, {}, false, take_reply},
      {"schedule", schedules, json_words, false, take_schedule},
      {"exploration", explorations, json_words, false, take_exploration},
      {"search", searches, {}, false, take_search},
      {"automata", networks, network_words, true, take_network},
      {"predicate",
       [] {
         return std::vector<std::string>{"P=l0 & x>=2 | P=l1 & y<0", "x=1", "P!=l0"};
       },
       {"P", "x", "=", "&", "|", "<", ">", "!", "99999999999999999999", "-", "(", ")"},
       true,
       take_predicate},
  };
  return all;
}

}  // namespace mazurka::fuzz
