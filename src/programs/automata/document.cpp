#include "programs/automata/document.hpp"

#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace mazurka::automata {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Text of the user in a message: short, and nothing that a terminal might take for a command.
std::string shown(std::string_view text) {
  constexpr std::size_t most_shown = 40;
  std::string result = "'";
  for (const char c : text.substr(0, most_shown)) {
    const auto code = static_cast<unsigned char>(c);
    result += code < 32 || code > 126 ? '?' : c;
  }
  return result + (text.size() > most_shown ? "...'" : "'");
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    at = text.find(separator);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at != std::string_view::npos) text.remove_prefix(at + 1);
  }
  return parts;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text) { document_.file = file; }

  Document run() {
    while (!text_.empty()) {
      ++line_;
      const std::size_t end = text_.find('\n');
      read_line(text_.substr(0, end));
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    }
    finish();
    return std::move(document_);
  }

 private:
  using Names = std::unordered_map<std::string, std::uint32_t>;
  using Fields = std::vector<std::string_view>;

  struct Declaration {
    std::string_view keyword;
    std::string_view form;
    std::size_t fields;  // 0: any number
    void (Reader::*read)(const Fields&);
  };
  static constexpr std::size_t most_variables = 10'000;
  static constexpr std::int64_t most_values = 65'536;

  [[noreturn]] void fail(const std::string& message) const {
    throw SyntaxError(document_.file, line_, message);
  }

  void read_line(std::string_view line) {
    if (line.find('\0') != std::string_view::npos) fail("this is a binary file, not a model");
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    static constexpr std::array<Declaration, 7> declarations{{
        {"system", "system:NAME", 1, &Reader::read_system},
        {"event", "event:NAME", 1, &Reader::read_event},
        {"int", "int:SIZE:MIN:MAX:INITIAL:NAME", 5, &Reader::read_int},
        {"process", "process:NAME{kind: client}", 1, &Reader::read_process},
        {"location", "location:PROCESS:NAME{initial:}", 2, &Reader::read_location},
        {"edge", "edge:PROCESS:SOURCE:TARGET:EVENT{provided: GUARD : do: STATEMENT}", 4,
         &Reader::read_edge},
        {"sync", "sync:PROCESS@EVENT:PROCESS@EVENT", 0, &Reader::read_sync},
    }};
    const std::string_view keyword = trimmed(line.substr(0, line.find(':')));
    if (keyword == "clock") fail("clocks are not supported: only untimed systems are");
    for (const Declaration& declaration : declarations) {
      if (declaration.keyword != keyword || line.size() == keyword.size()) continue;
      line.remove_prefix(line.find(':') + 1);
      split_attributes(line, declaration);
      const Fields fields = split(line, ':');
      if (declaration.fields != 0 && fields.size() != declaration.fields) {
        fail("expected " + std::string(declaration.form) + ", which has " +
             std::to_string(declaration.fields) + " field" + (declaration.fields == 1 ? "" : "s") +
             ", but found " + std::to_string(fields.size()));
      }
      if (document_.name.empty() && keyword != "system") fail("expected system:NAME first");
      (this->*declaration.read)(fields);
      refuse_unused_attributes();
      return;
    }
    fail("expected a declaration (system: event: int: process: location: edge: sync:) but found " +
         shown(line));
  }

  // {key: value : key: value}; a key stands before a colon, so the parts alternate.
  void split_attributes(std::string_view& line, const Declaration& declaration) {
    attributes_.clear();
    const std::size_t open = line.find('{');
    if (open == std::string_view::npos) {
      if (line.find('}') != std::string_view::npos) fail("there is a '}' without a '{'");
      return;
    }
    if (line.back() != '}') {
      fail("expected " + std::string(declaration.form) + ": nothing follows the closing '}'");
    }
    const std::string_view inside = trimmed(line.substr(open + 1, line.size() - open - 2));
    line = trimmed(line.substr(0, open));
    if (inside.empty()) return;
    const std::vector<std::string_view> parts = split(inside, ':');
    if (parts.size() % 2 != 0)
      fail("expected {key: value : key: value} but found " + shown(inside));
    for (std::size_t at = 0; at < parts.size(); at += 2) {
      attributes_.emplace_back(parts[at], parts[at + 1]);
    }
  }

  std::optional<std::string_view> attribute(std::string_view key) {
    std::optional<std::string_view> found;
    std::erase_if(attributes_, [&](const auto& one) {
      if (one.first != key) return false;
      if (found) fail("attribute " + std::string(key) + " is given twice");
      found = one.second;
      return true;
    });
    return found;
  }
  void refuse_unused_attributes() const {
    if (attributes_.empty()) return;
    const std::string_view key = attributes_.front().first;
    if (key == "invariant")
      fail("invariants are not supported: guard the edges that lead here instead");
    fail("unknown attribute " + shown(key));
  }

  std::string name(std::string_view text, const std::string& what) const {
    constexpr std::size_t longest = 1000;
    const bool good = !text.empty() && text.size() <= longest &&
                      text.find_first_not_of(
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                          "0123456789_.-+[]()") == std::string_view::npos;
    if (!good) fail("expected the name of " + what + " but found " + shown(text));
    return std::string(text);
  }
  std::uint32_t declare(Names& names, std::string_view text, const std::string& what) {
    const auto number = static_cast<std::uint32_t>(names.size());
    if (!names.emplace(name(text, what), number).second) {
      fail(shown(text) + " is declared twice as the name of " + what);
    }
    return number;
  }
  std::uint32_t known(const Names& names, std::string_view text, const std::string& what,
                      const std::string& how) const {
    const auto found = names.find(std::string(text));
    if (found == names.end()) {
      fail(shown(text) + " is not declared as " + what + "; expected " + how + " before this line");
    }
    return found->second;
  }
  std::uint32_t known_process(std::string_view text) const {
    return known(processes_, text, "a process", "process:NAME");
  }
  std::uint32_t known_event(std::string_view text) const {
    return known(events_, text, "an event", "event:NAME");
  }
  std::uint32_t known_location(std::uint32_t process, std::string_view text) const {
    const std::string& owner = document_.processes[process].name;
    return known(locations_[process], text, "a location of " + owner,
                 "location:" + owner + ":NAME");
  }
  std::int64_t number(std::string_view text, const std::string& what) const {
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
      fail("expected a number (" + what + ") but found " + shown(text));
    }
    return value;
  }

  void read_system(const Fields& fields) {
    if (!document_.name.empty()) fail("a second system; a file has one");
    document_.name = name(fields[0], "the system");
  }
  void read_event(const Fields& fields) {
    declare(events_, fields[0], "an event");
    document_.events.emplace_back(fields[0]);
  }
  void read_process(const Fields& fields) {
    declare(processes_, fields[0], "a process");
    if (variables_.count(std::string(fields[0])) != 0) fail(shown(fields[0]) + " is a variable");
    DeclaredProcess process;
    process.name = fields[0];
    process.line = line_;
    if (const auto kind = attribute("kind")) {
      if (*kind != "client" && *kind != "server") {
        fail("expected kind: client or kind: server but found " + shown(*kind));
      }
      process.kind = *kind == "client" ? DeclaredKind::client : DeclaredKind::server;
    }
    document_.processes.push_back(std::move(process));
    locations_.emplace_back();
  }
  void read_location(const Fields& fields) {
    const std::uint32_t process = known_process(fields[0]);
    const std::uint32_t location = declare(locations_[process], fields[1], "a location");
    DeclaredProcess& owner = document_.processes[process];
    owner.locations.emplace_back(fields[1]);
    attribute("labels");
    attribute("urgent");  // that no time passes there: none does
    if (attribute("committed")) {
      fail("committed locations are not supported: they hold up all other processes");
    }
    if (attribute("initial")) {
      if (owner.initial >= 0) {
        fail("process " + owner.name + " has a second initial location; one is supported");
      }
      owner.initial = location;
    }
  }
  void read_int(const Fields& fields) {
    const std::int64_t size = number(fields[0], "how many");
    DeclaredVariable variable{{},
                              number(fields[1], "the lowest value"),
                              number(fields[2], "the highest value"),
                              number(fields[3], "the initial value"),
                              line_};
    if (size < 1 || static_cast<std::size_t>(size) + variables_.size() > most_variables) {
      fail("expected between 1 and " + std::to_string(most_variables) + " variables in all");
    }
    if (variable.lowest > variable.highest || variable.highest - variable.lowest >= most_values) {
      fail("expected MIN <= MAX and at most " + std::to_string(most_values) + " values");
    }
    if (variable.initial < variable.lowest || variable.initial > variable.highest) {
      fail("the initial value is not between MIN and MAX");
    }
    rows_.emplace(fields[4], Row{static_cast<std::uint32_t>(document_.variables.size()),
                                 static_cast<std::uint32_t>(size)});
    for (std::int64_t at = 0; at < size; ++at) {
      variable.name = std::string(fields[4]) + (size == 1 ? "" : "[" + std::to_string(at) + "]");
      if (processes_.count(variable.name) != 0) fail(shown(variable.name) + " is a process");
      declare(variables_, variable.name, "a variable");
      document_.variables.push_back(variable);
    }
  }
  void read_edge(const Fields& fields) {
    const std::uint32_t process = known_process(fields[0]);
    DeclaredEdge edge;
    edge.source = known_location(process, fields[1]);
    edge.target = known_location(process, fields[2]);
    edge.event = known_event(fields[3]);
    edge.line = line_;
    try {
      if (const auto guard = attribute("provided"); guard && !guard->empty()) {
        edge.guard = parse_guard(*guard, lookup());
        edge.annotation = std::string(*guard);
      }
      if (const auto statement = attribute("do"); statement && !statement->empty()) {
        edge.annotation += " / " + std::string(*statement);
        statements_.push_back({process, document_.processes[process].edges.size(), *statement});
      }
    } catch (const ExpressionError& error) {
      fail(error.what());
    }
    document_.processes[process].edges.push_back(std::move(edge));
  }
  VariableLookup lookup() const {
    return [this](std::string_view text) -> std::optional<Row> {
      const auto found = rows_.find(std::string(text));
      if (found == rows_.end()) return std::nullopt;
      return found->second;
    };
  }
  // When all variables are known: local ones come behind them.
  void read_statements() {
    for (const auto& [process, at, text] : statements_) {
      DeclaredEdge& edge = document_.processes[process].edges[at];
      line_ = edge.line;
      try {
        edge.statements = parse_statements(text, lookup(),
                                           static_cast<std::uint32_t>(document_.variables.size()));
      } catch (const ExpressionError& error) {
        fail(error.what());
      }
    }
  }
  void read_sync(const Fields& fields) {
    DeclaredSync sync;
    sync.line = line_;
    std::unordered_set<std::uint32_t> seen;
    for (const std::string_view field : fields) {
      const std::size_t at = field.find('@');
      if (at == std::string_view::npos) fail("expected PROCESS@EVENT but found " + shown(field));
      const bool weak = field.back() == '?';
      const std::string_view event = field.substr(at + 1, field.size() - at - 1 - (weak ? 1 : 0));
      const DeclaredSync::Part part{known_process(trimmed(field.substr(0, at))),
                                    known_event(trimmed(event)), weak};
      if (!seen.insert(part.process).second) {
        fail("process " + document_.processes[part.process].name + " takes part twice");
      }
      sync.parts.push_back(part);
    }
    document_.syncs.push_back(std::move(sync));
  }

  void finish() {
    if (document_.name.empty()) fail("expected system:NAME; this file declares nothing");
    read_statements();
    for (const DeclaredProcess& process : document_.processes) {
      line_ = process.line;
      if (process.initial < 0) {
        fail("process " + process.name +
             " has no initial location; expected location:" + process.name + ":NAME{initial:}");
      }
    }
  }

  std::string_view text_;
  Line line_ = 0;
  Document document_;
  Names events_;
  Names processes_;
  Names variables_;
  std::unordered_map<std::string, Row> rows_;  // arrays, and variables as rows of one
  std::vector<Names> locations_;
  struct Written {
    std::uint32_t process = 0;
    std::size_t edge = 0;
    std::string_view statement;
  };
  std::vector<Written> statements_;
  std::vector<std::pair<std::string_view, std::string_view>> attributes_;
};

}  // namespace

Document parse_document(std::string_view text, const std::string& file) {
  return Reader(text, file).run();
}

Network parse_network(std::string_view text, const std::string& file) {
  return expand(parse_document(text, file));
}

Network load_network(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw NetworkError(file + ": cannot be read");
  std::ostringstream text;
  text << stream.rdbuf();
  return parse_network(text.view(), file);
}

}  // namespace mazurka::automata
