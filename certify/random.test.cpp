#include "random.test.hpp"

#include <algorithm>

namespace certify::tests {
namespace {

class Generator {
 public:
  explicit Generator(std::mt19937_64& random) : random_(random) {
    for (int at = 0; at < 2; ++at) variables_.push_back(object(Kind::memory));
    for (int at = 0; at < 2; ++at) mutexes_.push_back(object(Kind::mutex));
    semaphore_ = object(Kind::semaphore, below(2));
    shared_lock_ = object(Kind::read_write_lock);
    barrier_ = object(Kind::barrier);
    in_order_ = object(Kind::condition);
    any_order_ = object(Kind::condition);
  }

  Program program(const Family& family) {
    const std::uint64_t processes = 2 + below(3);
    const std::uint64_t longest = processes == 4 ? 2 : 4;
    for (std::uint64_t process = 0; process < processes; ++process) {
      Code& code = program_.processes.emplace_back();
      arrived_ = false;
      const std::uint64_t length = 1 + below(longest);
      while (code.instructions.size() < length) {
        const std::string& kind = family.kinds[below(family.kinds.size())];
        const std::size_t before = code.instructions.size();
        emit(kind, code.instructions);
        if (kind == "end") break;
        if (code.instructions.size() == before + 1 && before > 0 && below(3) == 0 &&
            (kind == "memory" || kind == "add" || kind == "exchange" || kind == "await")) {
          code.instructions.back().only_if = static_cast<int>(below(2));
        }
      }
    }
    if (std::find(family.kinds.begin(), family.kinds.end(), "spawn") != family.kinds.end()) {
      create_last();
    }
    return std::move(program_);
  }

 private:
  using Code_ = std::vector<Instruction>;

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  std::uint32_t object(Kind kind, std::uint64_t initial = 0) {
    program_.objects.push_back({kind, initial});
    return static_cast<std::uint32_t>(program_.objects.size() - 1);
  }
  std::uint32_t variable() { return variables_[below(variables_.size())]; }
  std::uint32_t mutex() { return mutexes_[below(mutexes_.size())]; }

  void emit(const std::string& kind, Code_& code) {
    if (kind == "memory") {
      emit_memory(code);
    } else if (kind == "add") {
      const Action all[] = {Action::add, Action::flip_bits, Action::set_bits, Action::clear_bits};
      code.push_back(access(all[below(4) * below(2)], variable(), 1 + below(2)));
    } else if (kind == "exchange") {
      Instruction& one = code.emplace_back(access(Action::compare_exchange, variable()));
      one.expected = below(3);
      one.desired = 1 + below(3);
    } else if (kind == "await") {
      code.push_back(access(Action::await, variable(), below(3)));
    } else if (kind == "choose") {
      code.push_back(choose(static_cast<std::uint32_t>(2 + below(2))));
    } else if (kind == "stop") {
      if (below(2) == 0)
        code.push_back(end_program(Ending::stop));
      else
        emit_memory(code);
    } else if (kind == "end") {
      code.push_back(end_program(Ending::exit));
    } else if (kind == "spawn") {
      emit_memory(code);
    } else if (kind == "meet") {
      emit_meeting(code);
    } else {
      emit_lock(kind, code);
    }
  }

  void emit_memory(Code_& code) {
    switch (below(4)) {
      case 0: code.push_back(access(Action::write, variable(), 1 + below(2))); break;
      case 1: code.push_back(access(Action::update, variable())); break;
      default: code.push_back(access(Action::read, variable()));
    }
  }

  void emit_lock(const std::string& kind, Code_& code) {
    if (kind == "lock") {
      const std::uint32_t one = mutex();
      code.push_back(access(Action::lock, one));
      if (below(2) == 0) emit_memory(code);
      if (below(5) != 0) code.push_back(access(Action::unlock, one));
    } else if (kind == "try") {
      const std::uint32_t one = mutex();
      code.push_back(access(Action::try_lock, one));
      code.push_back(access(Action::unlock, one));
      code.back().only_if = 1;
    } else if (kind == "two") {
      Instruction both = access(Action::lock, mutexes_[0]);
      both.operation.parts.push_back({mutexes_[1], Action::lock, 8, 0});
      code.push_back(both);
      if (below(4) != 0) code.push_back(access(Action::unlock, mutexes_[0]));
      if (below(4) != 0) code.push_back(access(Action::unlock, mutexes_[1]));
    } else if (kind == "semaphore") {
      const Action all[] = {Action::take, Action::post, Action::post, Action::try_take};
      code.push_back(access(all[below(4)], semaphore_));
    } else if (kind == "share") {
      emit_sharing(code);
    } else {
      emit_condition(kind, code);
    }
  }

  void emit_sharing(Code_& code) {
    const bool alone = below(3) == 0;
    const bool attempt = below(3) == 0;
    const Action take = alone ? (attempt ? Action::try_alone : Action::lock_alone)
                              : (attempt ? Action::try_share : Action::share);
    code.push_back(access(take, shared_lock_));
    if (below(5) == 0) return;
    code.push_back(access(alone ? Action::unlock_alone : Action::stop_sharing, shared_lock_));
    if (attempt) code.back().only_if = 1;
  }

  void emit_meeting(Code_& code) {
    if (arrived_) {
      emit_memory(code);
      return;
    }
    arrived_ = true;
    code.push_back(access(Action::arrive, barrier_));
    code.push_back(access(Action::leave, barrier_, 2 + below(2)));
  }

  void emit_condition(const std::string& kind, Code_& code) {
    const bool ordered = kind == "condition";
    const std::uint32_t condition = ordered ? in_order_ : any_order_;
    if (below(2) == 0) {
      const Action wake =
          below(4) == 0 ? Action::wake_all : (ordered ? Action::wake_first : Action::wake_any);
      code.push_back(access(wake, condition));
      return;
    }
    const std::uint32_t own = mutexes_[0];
    code.push_back(access(Action::lock, own));
    Instruction wait = access(ordered ? Action::wait_in_order : Action::wait, condition);
    wait.operation.parts.push_back({own, Action::unlock, 8, 0});
    code.push_back(wait);
    code.push_back(access(Action::woken, condition));
    code.push_back(access(Action::lock, own));
    code.push_back(access(Action::unlock, own));
  }

  // The last process is created by the first one, and perhaps joined.
  void create_last() {
    const auto last = static_cast<std::uint32_t>(program_.processes.size() - 1);
    program_.processes[last].parent = 0;
    Code_& first = program_.processes[0].instructions;
    std::size_t most = first.size();
    if (most > 0 && first.back().operation.ending != Ending::no) --most;
    first.insert(first.begin() + static_cast<std::ptrdiff_t>(below(most + 1)), spawn(last));
    if (below(3) != 0) {
      Code_& joiner = program_.processes[below(last)].instructions;
      if (joiner.empty() || joiner.back().operation.ending == Ending::no) {
        joiner.push_back(join(last));
      }
    }
  }

  std::mt19937_64& random_;
  Program program_;
  std::vector<std::uint32_t> variables_;
  std::vector<std::uint32_t> mutexes_;
  std::uint32_t semaphore_ = 0;
  std::uint32_t shared_lock_ = 0;
  std::uint32_t barrier_ = 0;
  std::uint32_t in_order_ = 0;
  std::uint32_t any_order_ = 0;
  bool arrived_ = false;
};

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"memory", {"memory"}},
      {"add", {"add", "memory"}},
      {"exchange", {"exchange", "memory"}},
      {"lock", {"lock", "try", "memory"}},
      {"two", {"two", "lock", "memory"}},
      {"semaphore", {"semaphore", "memory"}},
      {"await", {"await", "memory"}},
      {"choose", {"choose", "memory"}},
      {"share", {"share", "memory"}},
      {"meet", {"meet", "memory"}},
      {"condition", {"condition", "memory"}},
      {"any", {"any", "memory"}},
      {"stop", {"stop", "memory", "lock"}},
      {"end", {"end", "memory", "lock"}},
      {"spawn", {"spawn", "lock", "memory"}},
      {"all",
       {"memory", "add", "exchange", "lock", "try", "two", "semaphore", "await", "choose", "share",
        "meet", "condition", "any", "stop", "end", "spawn"}},
  };
  return all;
}

Program random_program(std::mt19937_64& random, const Family& family) {
  return Generator(random).program(family);
}

}  // namespace certify::tests
