#include "certificate.hpp"

namespace certify {
namespace {

constexpr std::string_view magic = "MZCERT1\n";
constexpr std::uint32_t most_processes = 4096;
constexpr std::uint32_t most_parts = 64;
constexpr std::uint32_t escape = 15;  // in a half of a byte: the number follows

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  Certificate read() {
    if (bytes_.substr(0, magic.size()) != magic) fail("it does not begin as a certificate does");
    at_ = magic.size();
    result_.technique = text();
    result_.model = text();
    result_.determined = number(2) == 0 ? Determined::by_views : Determined::by_histories;
    while (read_record()) {
    }
    if (at_ != bytes_.size()) fail("bytes follow its end");
    for (const Process& process : result_.processes) {
      if (process.first.empty()) fail("a process has no first node");
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw BadCertificate("no valid certificate: " + what + " (byte " + std::to_string(at_) + ")");
  }

  std::uint8_t byte() {
    if (at_ >= bytes_.size()) fail("it ends too early");
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  // Seven bits in each byte, the lowest first; the highest bit says that another byte follows.
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t part = byte();
      if (shift == 63 && part > 1) fail("a number has more than 64 bits");
      value |= (part & 0x7fU) << shift;
      if ((part & 0x80U) == 0) return value;
    }
  }
  std::uint32_t number(std::uint64_t below) {
    const std::uint64_t value = number();
    if (value >= below) {
      fail("a number is " + std::to_string(value) + ", where it must be below " +
           std::to_string(below));
    }
    return static_cast<std::uint32_t>(value);
  }
  // For what follows in the file: a length that the file cannot have is refused at once.
  std::uint32_t length(std::uint64_t most) {
    const std::uint32_t value = number(most + 1);
    if (value > bytes_.size() - at_) fail("it ends too early");
    return value;
  }
  std::string text() {
    const std::uint32_t size = length(1U << 16U);
    std::string value(bytes_.substr(at_, size));
    at_ += size;
    return value;
  }

  bool read_record() {
    switch (byte()) {
      case 'P': read_process(); return true;
      case 'O': read_object(); return true;
      case 'A': read_operation(); return true;
      case 'N': read_node(); return true;
      case 'S': read_schedule(); return true;
      case 'I': result_.incomplete = text(); return true;
      case 'U': result_.not_covered = text(); return true;
      case 'E':
        if (number() != result_.schedules.size()) fail("the number of schedules is another");
        if (number() != result_.nodes.size()) fail("the number of nodes is another");
        return false;
      default: --at_; fail("a record of unknown kind");
    }
  }

  void read_process() {
    Process process;
    const std::uint32_t parent = number(result_.processes.size() + 1);
    process.nth = number(none);
    if (parent > 0) process.parent = parent - 1;
    for (const Process& other : result_.processes) {
      if (other.parent == process.parent && other.nth == process.nth) fail("a process twice");
    }
    if (result_.processes.size() == most_processes) fail("too many processes");
    result_.processes.push_back(process);
  }

  void read_object() {
    Object object;
    object.kind = static_cast<Kind>(number(kinds));
    object.initial = number();
    const bool lock = object.kind == Kind::mutex && object.initial == 1;
    if (object.initial != 0 && object.kind != Kind::memory && object.kind != Kind::semaphore &&
        !lock) {
      fail("an object of this kind does not begin with that value");
    }
    result_.objects.push_back(object);
    condition_uses_.push_back(0);
  }

  Part read_part() {
    Part part;
    part.action = static_cast<Action>(number(actions));
    part.object = number(result_.objects.size());
    if (kind_of(part.action) != result_.objects[part.object].kind) {
      fail("an action on an object of another kind");
    }
    if (kind_of(part.action) == Kind::condition) note_order(part);
    if (has_operand(part.action)) part.operand = number();
    if (part.action == Action::add) part.width = static_cast<std::uint8_t>(number(9));
    return part;
  }

  // Where processes wait in any order, none of them is the first.
  void note_order(const Part& part) {
    std::uint8_t& uses = condition_uses_[part.object];
    if (part.action == Action::wait) uses |= 1U;
    if (part.action == Action::wait_in_order || part.action == Action::wake_first) uses |= 2U;
    if (uses == 3) fail("a condition at which processes wait both in order and in any order");
  }

  void read_operation() {
    Operation operation;
    const std::uint32_t form = number(4);  // 3: the process has ended
    operation.end = form == 3;
    if (!operation.end) {
      operation.ending = static_cast<Ending>(form);
      operation.joins = number(result_.processes.size() + 1);
      operation.joins = operation.joins == 0 ? none : operation.joins - 1;
      operation.choices = number(1U << 16U);
      if (operation.choices == 0) fail("an operation without outcomes");
      operation.parts.resize(length(most_parts));
      for (Part& part : operation.parts) part = read_part();
      operation.spawns.resize(length(most_parts));
      for (std::uint32_t& child : operation.spawns) child = number(result_.processes.size());
      check(operation);
    }
    result_.operations.push_back(std::move(operation));
  }

  // One object at most once in an operation, and one choice at most.
  void check(const Operation& operation) const {
    for (std::size_t one = 0; one < operation.parts.size(); ++one) {
      for (std::size_t other = 0; other < one; ++other) {
        if (operation.parts[one].object == operation.parts[other].object) {
          fail("an operation with two actions on one object");
        }
      }
      if (operation.parts[one].action == Action::wake_any &&
          (operation.choices > 1 || operation.parts.size() > 1)) {
        fail("an operation with two choices");
      }
    }
    if (operation.ending != Ending::no && (operation.joins != none || operation.choices > 1 ||
                                           !operation.parts.empty() || !operation.spawns.empty())) {
      fail("an end of the program that does something else, too");
    }
  }

  Outcome read_outcome(const Operation& operation) {
    Outcome outcome;
    outcome.choice = number(1U << 16U);
    outcome.parts.resize(operation.parts.size());
    for (std::size_t at = 0; at < outcome.parts.size(); ++at) {
      PartOutcome& part = outcome.parts[at];
      const Action action = operation.parts[at].action;
      if (may_fail(action)) part.succeeded = number(2) == 1;
      if (observes(action)) part.observed = number();
      if (writes_outcome(action) && part.succeeded) part.written = number();
    }
    return outcome;
  }

  void read_node() {
    Node node;
    const std::uint32_t parent = number(result_.nodes.size() + 1);
    if (parent == 0) {
      node.process = number(result_.processes.size());
      std::vector<std::uint32_t>& first = result_.processes[node.process].first;
      if (!first.empty() && result_.determined == Determined::by_views) {
        fail("a process with two first nodes");
      }
      first.push_back(static_cast<std::uint32_t>(result_.nodes.size()));
    } else {
      Node& before = result_.nodes[parent - 1];
      const Operation& operation = result_.operations[before.operation];
      if (operation.end) fail("a node behind the end of a process");
      node.process = before.process;
      node.outcome = read_outcome(operation);
    }
    node.operation = number(result_.operations.size());
    if (parent > 0) add_child(result_.nodes[parent - 1], node);
    result_.nodes.push_back(std::move(node));
  }

  // Whether the outcomes agree in all that a process cannot work out.
  [[nodiscard]] bool same_input(const Node& before, const Outcome& one,
                                const Outcome& other) const {
    const std::vector<Part>& parts = result_.operations[before.operation].parts;
    for (std::size_t at = 0; at < parts.size(); ++at) {
      if (one.parts[at].observed != other.parts[at].observed) return false;
      if (parts[at].action == Action::compare_exchange) continue;
      if (one.parts[at].succeeded != other.parts[at].succeeded) return false;
    }
    return one.choice == other.choice;
  }

  void add_child(Node& before, const Node& node) {
    for (const std::uint32_t child : before.children) {
      if (!same_input(before, result_.nodes[child].outcome, node.outcome)) continue;
      if (result_.determined == Determined::by_views ||
          (result_.nodes[child].operation == node.operation &&
           result_.nodes[child].outcome == node.outcome)) {
        fail("one outcome leads to two nodes");
      }
    }
    before.children.push_back(static_cast<std::uint32_t>(result_.nodes.size()));
  }

  void read_schedule() {
    Schedule schedule;
    schedule.shared = number(length_of_last_ + 1);
    schedule.count = length(none - 1);
    schedule.added = result_.steps.size();
    for (std::uint32_t at = 0; at < schedule.count; ++at) {
      const std::uint32_t both = byte();
      Step step{both & 15U, both >> 4U};
      if (step.process == escape) step.process = number(none);
      if (step.child == escape) step.child = number(none);
      if (step.process >= result_.processes.size()) fail("a step of a process not named before");
      result_.steps.push_back(step);
    }
    schedule.begins.resize(length(most_processes));
    for (auto& [process, node] : schedule.begins) {
      process = number(result_.processes.size());
      const std::vector<std::uint32_t>& first = result_.processes[process].first;
      node = number(first.size());
      node = first[node];
    }
    length_of_last_ = std::uint64_t{schedule.shared} + schedule.count;
    if (length_of_last_ >= none) fail("a schedule is too long");
    result_.schedules.push_back(std::move(schedule));
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t length_of_last_ = 0;          // in steps, of the schedule read last
  std::vector<std::uint8_t> condition_uses_;  // per object
  Certificate result_;
};

}  // namespace

Certificate read_certificate(std::string_view bytes) { return Reader(bytes).read(); }

}  // namespace certify
