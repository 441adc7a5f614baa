// Certificates of logs, for the tests: the trees of views grow as the logs are written.
#include <algorithm>

#include "program.test.hpp"

namespace certify::tests {
namespace {

struct TreeNode {
  std::uint32_t operation = 0;
  Outcome outcome;
  std::vector<std::size_t> children;
};

class Encoder {
 public:
  Encoder(const Program& program, bool by_histories) : first_(program.processes.size()) {
    bytes_ = "MZCERT1\n";
    text("test");
    text("sc");
    number(by_histories ? 1 : 0);
    std::vector<std::uint32_t> children(program.processes.size() + 1);
    for (const Code& code : program.processes) {
      bytes_ += 'P';
      const std::uint32_t parent = code.parent == none ? 0 : code.parent + 1;
      number(parent);
      number(children[parent]++);
    }
    for (const TestObject& object : program.objects) {
      bytes_ += 'O';
      number(static_cast<std::uint64_t>(object.kind));
      number(object.initial);
    }
  }

  void add(const Log& log) {
    std::vector<std::size_t> taken(first_.size());
    std::vector<std::vector<const LoggedStep*>> own(first_.size());
    for (const LoggedStep& step : log.steps) own[step.process].push_back(&step);
    std::vector<std::vector<std::uint32_t>> children(first_.size());
    std::string begins;
    std::uint64_t begun = 0;
    for (std::uint32_t process = 0; process < first_.size(); ++process) {
      if (!log.last[process]) continue;
      const std::uint32_t nth = walk(process, own[process], *log.last[process], children[process]);
      if (nth == 0) continue;
      ++begun;
      begins += number_as_text(process) + number_as_text(nth);
    }
    bytes_ += 'S';
    number(0);
    number(log.steps.size());
    for (const LoggedStep& step : log.steps) {
      const std::uint32_t child = children[step.process][taken[step.process]++];
      bytes_ += static_cast<char>(step.process | (std::min(child, 15U) << 4U));
      if (child >= 15) number(child);
    }
    number(begun);
    bytes_ += begins;
    ++schedules_;
  }

  std::string finish() {
    for (std::uint32_t process = 0; process < first_.size(); ++process) {
      if (first_[process].empty()) node(none, process, {}, end());  // it is never created
    }
    bytes_ += 'E';
    number(schedules_);
    number(nodes_.size());
    return bytes_;
  }

 private:
  static std::string number_as_text(std::uint64_t value) {
    std::string text;
    for (; value > 127; value >>= 7U) text += static_cast<char>((value & 0x7fU) | 0x80U);
    return text + static_cast<char>(value);
  }
  void number(std::uint64_t value) { bytes_ += number_as_text(value); }
  void text(const std::string& value) {
    number(value.size());
    bytes_ += value;
  }
  static Operation end() {
    Operation operation;
    operation.end = true;
    return operation;
  }

  std::uint32_t walk(std::uint32_t process, const std::vector<const LoggedStep*>& steps,
                     const Operation& last, std::vector<std::uint32_t>& children) {
    const auto operation = [&](std::size_t at) {
      return at < steps.size() ? steps[at]->operation : last;
    };
    std::size_t current = 0;
    const std::uint32_t nth = enter(first_[process], none, process, {}, operation(0), current);
    for (std::size_t at = 0; at < steps.size(); ++at) {
      // A list that grows elsewhere is put back afterwards.
      std::vector<std::size_t> list = nodes_[current].children;
      const std::size_t parent = current;
      children.push_back(enter(list, static_cast<std::uint32_t>(parent), process,
                               steps[at]->outcome, operation(at + 1), current));
      nodes_[parent].children = std::move(list);
    }
    return nth;
  }

  std::uint32_t enter(std::vector<std::size_t>& list, std::uint32_t parent, std::uint32_t process,
                      const Outcome& outcome, const Operation& operation, std::size_t& current) {
    const std::uint32_t wanted = number_of(operation);
    for (std::size_t at = 0; at < list.size(); ++at) {
      if (nodes_[list[at]].operation != wanted || nodes_[list[at]].outcome != outcome) continue;
      current = list[at];
      return static_cast<std::uint32_t>(at);
    }
    list.push_back(node(parent, process, outcome, operation));
    current = list.back();
    return static_cast<std::uint32_t>(list.size() - 1);
  }

  std::size_t node(std::uint32_t parent, std::uint32_t process, const Outcome& outcome,
                   const Operation& operation) {
    const std::uint32_t own = number_of(operation);
    bytes_ += 'N';
    number(parent == none ? 0 : parent + 1);
    if (parent == none) {
      number(process);
    } else {
      number(outcome.choice);
      const Operation& before = operations_[nodes_[parent].operation];
      for (std::size_t at = 0; at < before.parts.size(); ++at) {
        const Action action = before.parts[at].action;
        const PartOutcome& part = outcome.parts[at];
        if (may_fail(action)) number(part.succeeded ? 1 : 0);
        if (observes(action)) number(part.observed);
        if (writes_outcome(action) && part.succeeded) number(part.written);
      }
    }
    number(own);
    nodes_.push_back({own, outcome, {}});
    return nodes_.size() - 1;
  }

  std::uint32_t number_of(const Operation& operation) {
    const auto known = std::find(operations_.begin(), operations_.end(), operation);
    if (known != operations_.end()) {
      return static_cast<std::uint32_t>(known - operations_.begin());
    }
    bytes_ += 'A';
    number(operation.end ? 3 : static_cast<std::uint64_t>(operation.ending));
    if (!operation.end) {
      number(operation.joins == none ? 0 : operation.joins + 1);
      number(operation.choices);
      number(operation.parts.size());
      for (const Part& part : operation.parts) {
        number(static_cast<std::uint64_t>(part.action));
        number(part.object);
        if (has_operand(part.action)) number(part.operand);
        if (part.action == Action::add) number(part.width);
      }
      number(operation.spawns.size());
      for (const std::uint32_t child : operation.spawns) number(child);
    }
    operations_.push_back(operation);
    return static_cast<std::uint32_t>(operations_.size() - 1);
  }

  std::string bytes_;
  std::vector<std::vector<std::size_t>> first_;
  std::vector<TreeNode> nodes_;
  std::vector<Operation> operations_;
  std::size_t schedules_ = 0;
};

}  // namespace

std::string encode(const Program& program, const std::vector<Log>& logs, bool by_histories) {
  Encoder encoder(program, by_histories);
  for (const Log& log : logs) encoder.add(log);
  return encoder.finish();
}

}  // namespace certify::tests
