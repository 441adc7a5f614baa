#include "memory/program.hpp"

#include <algorithm>

namespace mazurka::memory {

namespace {

using Kind = Operation::Kind;

const char* name_of(Order order) {
  switch (order) {
    case Order::relaxed: return "relaxed";
    case Order::acquire: return "acquire";
    case Order::release: return "release";
    case Order::acquire_release: return "acq_rel";
    case Order::seq_cst: return "seq_cst";
  }
  return "";
}

std::string order_in_c(Order order) { return std::string("memory_order_") + name_of(order); }

class Lots {
 public:
  explicit Lots(std::uint64_t seed) : engine_(seed) {}
  int below(int bound) { return static_cast<int>(engine_() % static_cast<unsigned>(bound)); }
  bool one_in(int count) { return below(count) == 0; }
  Order among(std::initializer_list<Order> orders) {
    return orders.begin()[below(static_cast<int>(orders.size()))];
  }

 private:
  std::mt19937_64 engine_;
};

Operation random_access(Lots& lots, int variables) {
  constexpr Kind kinds[] = {Kind::read,  Kind::read,  Kind::read,
                            Kind::write, Kind::write, Kind::write,
                            Kind::add,   Kind::add,   Kind::compare_exchange,
                            Kind::fence};
  Operation one;
  one.kind = kinds[lots.below(10)];
  one.variable = lots.below(variables);
  switch (one.kind) {
    case Kind::read:
      one.order = lots.among({Order::relaxed, Order::acquire, Order::seq_cst});
      break;
    case Kind::write:
      one.value = 1 + lots.below(2);
      one.order = lots.among({Order::relaxed, Order::release, Order::seq_cst});
      break;
    case Kind::fence:
      one.order = lots.among(
          {Order::acquire, Order::release, Order::acquire_release, Order::seq_cst, Order::seq_cst});
      break;
    default:
      one.value = 1 + lots.below(2);
      one.expected = lots.below(2);
      one.order = lots.among(
          {Order::relaxed, Order::acquire, Order::release, Order::acquire_release, Order::seq_cst});
      one.failure = lots.among({Order::relaxed, Order::acquire, Order::seq_cst});
      break;
  }
  if (lots.one_in(6)) one.only_if = lots.below(3);
  return one;
}

// Which orders a program has: those that are weak matter for most of what a model allows, those
// that are strong for what it forbids. Passing: relaxed accesses between fences that are not
// seq_cst; updating: many read-modify-writes.
enum class Strength : std::uint8_t { weak, fenced, mixed, strong, passing, updating };
constexpr int strengths = 6;

Order random_order(Lots& lots, Kind kind, Strength strength) {
  const Order half = kind == Kind::read    ? Order::acquire
                     : kind == Kind::write ? Order::release
                                           : Order::acquire_release;
  switch (strength) {
    case Strength::weak:
      return lots.among({Order::relaxed, Order::relaxed, half, half, Order::seq_cst});
    case Strength::fenced:
      return lots.among({Order::relaxed, Order::relaxed, half, Order::seq_cst});
    case Strength::mixed: return lots.among({Order::relaxed, half, Order::seq_cst, Order::seq_cst});
    case Strength::passing: return lots.one_in(5) ? half : Order::relaxed;
    case Strength::updating: return lots.among({Order::relaxed, half, half, Order::seq_cst});
    case Strength::strong: break;
  }
  return lots.one_in(6) ? half : Order::seq_cst;
}

Operation random_fence(Lots& lots, Strength strength) {
  Operation one;
  one.kind = Kind::fence;
  one.order = Order::seq_cst;
  if (strength == Strength::passing) {
    one.order = lots.among({Order::acquire, Order::release, Order::acquire_release});
  } else if (strength == Strength::weak || lots.one_in(6)) {
    one.order = lots.among(
        {Order::acquire, Order::release, Order::acquire_release, Order::seq_cst, Order::seq_cst});
  }
  return one;
}

// Reads and writes that go from one variable to another: what processors do with these is what
// memory models are about.
Operation random_weak_access(Lots& lots, int variables, int previous, Strength strength) {
  const bool fenced = strength == Strength::fenced || strength == Strength::passing;
  if (previous >= 0 && lots.one_in(fenced ? 3 : 10)) return random_fence(lots, strength);
  Operation one;
  one.variable = lots.below(variables);
  if (one.variable == previous && !lots.one_in(4)) one.variable = (previous + 1) % variables;
  one.kind = lots.one_in(2) ? Kind::read : Kind::write;
  one.value = 1 + lots.below(2);
  if (lots.one_in(strength == Strength::updating ? 3 : 10)) {
    one.kind = lots.one_in(3) ? Kind::compare_exchange : Kind::add;
  }
  one.order = random_order(lots, one.kind, strength);
  one.expected = lots.below(2);
  one.failure = lots.among({Order::relaxed, Order::acquire, Order::seq_cst});
  if (lots.one_in(20)) one.only_if = lots.below(2);
  return one;
}

std::vector<Operation> random_weak_thread(Lots& lots, int variables, Strength strength,
                                          int one_locked_in) {
  std::vector<Operation> operations;
  int previous = -1;
  const int count = 1 + lots.below(4);
  for (int at = 0; at < count; ++at) {
    const Operation one = random_weak_access(lots, variables, previous, strength);
    if (one.kind != Kind::fence) previous = one.variable;
    const bool locked = one.kind != Kind::fence && lots.one_in(one_locked_in);
    if (locked) operations.push_back({.kind = Kind::lock});
    operations.push_back(one);
    if (locked) operations.push_back({.kind = Kind::unlock});
  }
  return operations;
}

// Reads and writes with locks around them, some of these within others, and tokens between them.
std::vector<Operation> random_waiting_thread(Lots& lots, int variables, Strength strength,
                                             bool with_tokens) {
  std::vector<Operation> operations;
  std::vector<int> held;
  int previous = -1;
  const int count = 2 + lots.below(4);
  for (int at = 0; at < count; ++at) {
    const int mutex = lots.below(Program::mutexes);
    if (lots.one_in(3) && std::find(held.begin(), held.end(), mutex) == held.end()) {
      operations.push_back({.kind = Kind::lock, .variable = mutex});
      held.push_back(mutex);
    } else if (with_tokens && lots.one_in(3)) {
      operations.push_back({.kind = lots.one_in(2) ? Kind::take : Kind::give});
    } else {
      operations.push_back(random_weak_access(lots, variables, previous, strength));
      if (operations.back().kind != Kind::fence) previous = operations.back().variable;
    }
    if (!held.empty() && lots.one_in(2)) {
      const auto one = held.begin() + lots.below(static_cast<int>(held.size()));
      operations.push_back({.kind = Kind::unlock, .variable = *one});
      held.erase(one);
    }
  }
  for (const int mutex : held) operations.push_back({.kind = Kind::unlock, .variable = mutex});
  return operations;
}

std::string access_in_c(const Operation& one, const std::string& variable) {
  const std::string order = order_in_c(one.order);
  const std::string value = std::to_string(one.value);
  switch (one.kind) {
    case Kind::read: return "TELL(atomic_load_explicit(&" + variable + ", " + order + "));";
    case Kind::write:
      return "atomic_store_explicit(&" + variable + ", " + value + ", " + order + ");";
    case Kind::add: {
      const std::string add =
          "atomic_fetch_add_explicit(&" + variable + ", " + value + ", " + order + ")";
      return one.unused ? add + ";" : "TELL(" + add + ");";
    }
    case Kind::compare_exchange:
      return "{ int e = " + std::to_string(one.expected) + "; atomic_compare_exchange_" +
             (one.weak ? "weak" : "strong") + "_explicit(&" + variable + ", &e, " + value + ", " +
             order + ", " + order_in_c(one.failure) + "); TELL(e); }";
    case Kind::fence: return "atomic_thread_fence(" + order + ");";
    case Kind::assume: return "__VERIFIER_assume(last == " + value + ");";
    default: return "";
  }
}

std::string waiting_in_c(const Operation& one, const std::string& prefix) {
  const std::string mutex = prefix + "m[" + std::to_string(one.variable) + "]);\n";
  switch (one.kind) {
    case Kind::lock: return "pthread_mutex_lock(&" + mutex;
    case Kind::unlock: return "pthread_mutex_unlock(&" + mutex;
    case Kind::take: return "sem_wait(&" + prefix + "s);\n";
    default: return "sem_post(&" + prefix + "s);\n";
  }
}

bool has_semaphore(const Program& program) {
  return std::any_of(program.threads.begin(), program.threads.end(), [](const auto& thread) {
    return std::any_of(thread.begin(), thread.end(),
                       [](const Operation& one) { return one.kind >= Kind::take; });
  });
}

std::string program_in_c(const Program& program, std::size_t number) {
  const std::string prefix = "p" + std::to_string(number) + "_";
  std::string text = "static atomic_int " + prefix + "x[" + std::to_string(program.variables) +
                     "];\nstatic pthread_mutex_t " + prefix +
                     "m[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n";
  const bool counts = has_semaphore(program);
  if (counts) text += "static sem_t " + prefix + "s;\n";
  const std::size_t threads = program.threads.size();
  for (std::size_t thread = 0; thread < threads; ++thread) {
    text += "static void* " + prefix + "t" + std::to_string(thread) + "(void* at) {\n" +
            "  struct told* told = at;\n  int last = 0;\n";
    for (const Operation& one : program.threads[thread]) {
      text += "  ";
      if (one.only_if) text += "if (last == " + std::to_string(*one.only_if) + ") ";
      if (one.kind >= Kind::lock) {
        text += waiting_in_c(one, prefix);
        continue;
      }
      text += access_in_c(one, prefix + "x[" + std::to_string(one.variable) + "]") + "\n";
    }
    text += "  (void)last;\n  return 0;\n}\n";
  }
  text += "static void " + prefix + "main(void) {\n  pthread_t t[8];\n";
  if (counts) text += "  sem_init(&" + prefix + "s, 0, " + std::to_string(program.tokens) + ");\n";
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const std::string n = std::to_string(thread);
    text += "  pthread_create(&t[" + n + "], 0, " + prefix + "t" + n + ", &all[" + n + "]);\n";
  }
  for (std::size_t thread = 0; thread < threads; ++thread) {
    text += "  pthread_join(t[" + std::to_string(thread) + "], 0);\n";
  }
  for (std::size_t thread = 0; thread < threads; ++thread) {
    text += "  tell(&all[" + std::to_string(thread) + "]);\n";
  }
  for (int variable = 0; variable < program.variables; ++variable) {
    text += "  number(atomic_load(&" + prefix + "x[" + std::to_string(variable) + "]));\n";
  }
  return text + "  fail();\n}\n";
}

constexpr const char* prelude = R"(#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
extern void __VERIFIER_assume(int);
extern void __assert_fail(const char*, const char*, unsigned, const char*);
struct told { int count; int values[16]; };
static struct told all[8];
#define TELL(value) do { last = (value); told->values[told->count++] = last; } while (0)
static char text[200];
static int length;
static void number(int value) {
  text[length++] = (char)('0' + value);
  text[length++] = ' ';
}
static void tell(const struct told* one) {
  for (int at = 0; at < one->count; ++at) number(one->values[at]);
  text[length++] = '/';
  text[length++] = ' ';
}
static int counts;
static void fail(void) {
  unsigned hash = 2166136261U;
  for (int at = 0; at < length; ++at) hash = (hash ^ (unsigned char)text[at]) * 16777619U;
  const unsigned told = hash >> 16 & 7U;
  if (!counts || told == 0) __assert_fail(text, text, 0, "fail");
  if (told & 1U) exit(1);
}
extern int __mazurka_choose(int);
static int any_of(int programs) {
  const int chosen = __mazurka_choose(programs);
  for (int place = 10000; place > 0; place /= 10) text[length++] = (char)('0' + chosen / place % 10);
  text[length++] = ' ';
  return chosen;
}
)";

}  // namespace

std::size_t size_of(const Program& program) {
  std::size_t size = 0;
  for (const auto& thread : program.threads) {
    for (const Operation& one : thread) {
      const bool twice = one.kind == Kind::add || one.kind == Kind::compare_exchange ||
                         one.kind == Kind::lock || one.kind >= Kind::take;
      size += one.kind == Kind::assume ? 0 : twice ? 2 : 1;
    }
  }
  return size;
}

Program random_program(std::uint64_t seed, std::size_t least_events, std::size_t most_events) {
  Lots lots(seed);
  while (true) {
    Program program;
    program.variables = 1 + lots.below(3);
    const int threads = 2 + lots.below(3);
    for (int thread = 0; thread < threads; ++thread) {
      std::vector<Operation> operations;
      const int count = 1 + lots.below(4);
      for (int at = 0; at < count; ++at) {
        if (lots.one_in(12)) {
          operations.push_back({.kind = Kind::lock});
          operations.push_back(random_access(lots, program.variables));
          operations.push_back({.kind = Kind::unlock});
        } else if (lots.one_in(20)) {
          operations.push_back({.kind = Kind::assume, .value = lots.below(2)});
        } else {
          operations.push_back(random_access(lots, program.variables));
        }
      }
      program.threads.push_back(std::move(operations));
    }
    const std::size_t size = size_of(program);
    if (size >= least_events && size <= most_events) return program;
  }
}

Program random_weak_program(std::uint64_t seed, std::size_t least_events, std::size_t most_events) {
  Lots lots(seed);
  while (true) {
    Program program;
    program.variables = 2 + lots.below(2);
    const int threads = 2 + lots.below(3);
    const auto strength = static_cast<Strength>(lots.below(strengths));
    const int one_locked_in = lots.one_in(4) ? 4 : 40;
    for (int thread = 0; thread < threads; ++thread) {
      program.threads.push_back(
          random_weak_thread(lots, program.variables, strength, one_locked_in));
    }
    const std::size_t size = size_of(program);
    if (size >= least_events && size <= most_events) return program;
  }
}

Program random_waiting_program(std::uint64_t seed, std::size_t least_events,
                               std::size_t most_events) {
  Lots lots(seed);
  while (true) {
    Program program;
    program.variables = 1 + lots.below(2);
    const int threads = 2 + lots.below(2);
    const auto strength = static_cast<Strength>(lots.below(strengths));
    const bool with_tokens = lots.one_in(2);
    program.tokens = lots.below(2);
    for (int thread = 0; thread < threads; ++thread) {
      program.threads.push_back(
          random_waiting_thread(lots, program.variables, strength, with_tokens));
    }
    const std::size_t size = size_of(program);
    if (size >= least_events && size <= most_events) return program;
  }
}

Program with_weak_exchanges(Program program) {
  for (auto& thread : program.threads) {
    for (Operation& one : thread) {
      if (one.kind == Kind::add) one.kind = Kind::compare_exchange;
      one.weak = one.kind == Kind::compare_exchange;
    }
  }
  return program;
}

Program with_unused_results(Program program) {
  for (auto& thread : program.threads) {
    for (Operation& one : thread) one.unused = one.kind == Kind::add;
  }
  return program;
}

std::string to_text(const Program& program) {
  constexpr const char* kinds[] = {"read",   "write", "add",    "cas",  "fence",
                                   "assume", "lock",  "unlock", "take", "give"};
  std::string text = has_semaphore(program) ? std::to_string(program.tokens) + " tokens" : "";
  for (const auto& thread : program.threads) {
    if (!text.empty()) text += "  ||  ";
    for (const Operation& one : thread) {
      if (one.only_if) text += "[" + std::to_string(*one.only_if) + "] ";
      text += kinds[static_cast<int>(one.kind)];
      const bool accesses = one.kind <= Kind::compare_exchange;
      if (accesses) text += " x" + std::to_string(one.variable);
      if (one.kind == Kind::lock || one.kind == Kind::unlock) {
        text += " m" + std::to_string(one.variable);
      }
      if (one.kind == Kind::compare_exchange) text += " " + std::to_string(one.expected) + "->";
      if (one.kind != Kind::read && accesses) text += " " + std::to_string(one.value);
      if (one.kind == Kind::assume) text += " " + std::to_string(one.value);
      if (accesses || one.kind == Kind::fence) text += std::string(" ") + name_of(one.order);
      if (one.unused) text += " unused";
      text += "; ";
    }
  }
  return text;
}

// As in the prelude.
Told how_told(std::string_view outcome) {
  std::uint32_t hash = 2166136261U;
  for (const char one : outcome) hash = (hash ^ static_cast<unsigned char>(one)) * 16777619U;
  const std::uint32_t told = hash >> 16U & 7U;
  return told == 0 ? Told::by_finding : (told & 1U) != 0 ? Told::by_exit_code : Told::by_nothing;
}

std::string to_c(const std::vector<Program>& programs) {
  std::string text = prelude;
  for (std::size_t at = 0; at < programs.size(); ++at) text += program_in_c(programs[at], at);
  text +=
      "int main(int argc, char** argv) {\n  (void)argc;\n  counts = !strcmp(argv[1], \"any\");\n"
      "  switch (counts || !strcmp(argv[1], \"all\") ? any_of(" +
      std::to_string(programs.size()) + ") : atoi(argv[1])) {\n";
  for (std::size_t at = 0; at < programs.size(); ++at) {
    const std::string number = std::to_string(at);
    text += "    case " + number + ": p" + number + "_main(); break;\n";
  }
  return text + "  }\n  return 0;\n}\n";
}

}  // namespace mazurka::memory
