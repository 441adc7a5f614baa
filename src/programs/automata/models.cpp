#include "programs/automata/models.hpp"

#include <array>
#include <random>

#include "programs/automata/builder.hpp"

namespace mazurka::automata {

namespace {

std::string numbered(const std::string& stem, int number) { return stem + std::to_string(number); }

// Philosopher i takes the forks i and i+1 in any order, eats, releases first the left one; or gives
// up after one fork. The four labels are the same wherever they are used.
Network philosophers(int size, int rounds) {
  NetworkBuilder net(numbered(rounds == 1 ? "dp_" : "dp2_", size));
  for (int i = 0; i < size; ++i) net.client(numbered("P", i), "idle0");
  for (int i = 0; i < size; ++i) net.lock(numbered("F", i));
  for (int i = 0; i < size; ++i) {
    const std::string who = numbered("P", i);
    const std::string left = numbered("F", i);
    const std::string right = numbered("F", (i + 1) % size);
    for (int round = 0; round < rounds; ++round) {
      const std::string idle = numbered("idle", round);
      const std::string next = numbered("idle", round + 1);
      const std::string has_left = numbered("left", round);
      const std::string has_right = numbered("right", round);
      const std::string eats = numbered("eats", round);
      const std::string one_released = numbered("released", round);
      const std::string suffix = rounds == 1 ? "" : "_" + std::to_string(round);
      const std::string take_left = who + "_take_left" + suffix;
      const std::string take_right = who + "_take_right" + suffix;
      const std::string release_left = who + "_release_left" + suffix;
      const std::string release_right = who + "_release_right" + suffix;
      net.acquire(who, idle, left, has_left, take_left);
      net.acquire(who, idle, right, has_right, take_right);
      net.acquire(who, has_left, right, eats, take_right);
      net.acquire(who, has_right, left, eats, take_left);
      net.release(who, eats, left, one_released, release_left);
      net.release(who, one_released, right, next, release_right);
      net.release(who, has_left, left, next, release_left);
      net.release(who, has_right, right, next, release_right);
    }
  }
  return net.take();
}

Network dining(int size) { return philosophers(size, 1); }
Network dining_twice(int size) { return philosophers(size, 2); }

// A binary tree of gates. A leaf writes 0 or 1 to its wire; an inner gate reads both wires below
// it, emptying them, and writes the exclusive or to its own; the root writes nothing.
Network boolean_gates(int height) {
  NetworkBuilder net(numbered("bg_", height));
  const int gates = (1 << (height + 1)) - 1;
  for (int i = 1; i <= gates; ++i) net.client(numbered("G", i), "start");
  for (int i = 2; i <= gates; ++i) net.server(numbered("W", i), "empty");
  const auto put = [&](const std::string& gate, const std::string& from, int wire, int value) {
    const std::string label = gate + "_put_" + std::to_string(value);
    net.edge(gate, from, label, "done");
    net.edge(numbered("W", wire), "empty", label, std::to_string(value));
  };
  const auto get = [&](const std::string& gate, const std::string& from, int wire, int value,
                       const std::string& to) {
    const std::string label = gate + "_get" + std::to_string(wire) + "_" + std::to_string(value);
    net.edge(gate, from, label, to);
    net.edge(numbered("W", wire), std::to_string(value), label, "empty");
  };
  for (int i = 1; i <= gates; ++i) {
    const std::string gate = numbered("G", i);
    if (2 * i > gates) {
      put(gate, "start", i, 0);
      put(gate, "start", i, 1);
      continue;
    }
    for (int one = 0; one <= 1; ++one) {
      get(gate, "start", 2 * i, one, numbered("read", one));
      for (int other = 0; other <= 1; ++other) {
        get(gate, numbered("read", one), 2 * i + 1, other, numbered("out", one ^ other));
      }
    }
    if (i == 1) continue;
    put(gate, "out0", i, 0);
    put(gate, "out1", i, 1);
  }
  return net.take();
}

// Writers lock and unlock one lock each; readers do so under one common lock.
Network multi_pattern(int size) {
  NetworkBuilder net(numbered("mpat_", size));
  for (int i = 0; i < size; ++i) net.client(numbered("w", i), "0");
  for (int i = 0; i < size; ++i) net.client(numbered("r", i), "0");
  for (int i = 0; i < size; ++i) net.lock(numbered("ma", i));
  net.lock("mi");
  for (int i = 0; i < size; ++i) {
    const std::string lock = numbered("ma", i);
    net.acquire(numbered("w", i), "0", lock, "1").release(numbered("w", i), "1", lock, "2");
  }
  for (int i = 0; i < size; ++i) {
    const std::string reader = numbered("r", i);
    const std::string lock = numbered("ma", i);
    net.acquire(reader, "0", "mi", "1").acquire(reader, "1", lock, "2");
    net.release(reader, "2", lock, "3").release(reader, "3", "mi", "4");
  }
  return net.take();
}

// n writers set their own variable, a counter counts, the master reads the counter once and resets
// the variable of that number.
Network quasi_optimal(int size) {
  NetworkBuilder net(numbered("qo_", size));
  for (int i = 0; i < size; ++i) net.client(numbered("w", i), "0");
  net.client("count", "0").client("master", "start");
  for (int i = 0; i < size; ++i) net.variable(numbered("x", i), 0, 1);
  net.variable("c", 0, size - 1);
  for (int i = 0; i < size; ++i) net.write(numbered("w", i), "0", numbered("x", i), 1, "1");
  for (int i = 0; i < size; ++i) {
    net.write("count", std::to_string(i), "c", i, std::to_string(i + 1));
  }
  for (int i = 0; i < size; ++i) net.read("master", "start", "c", i, numbered("read", i));
  for (int i = 0; i < size; ++i) {
    net.write("master", numbered("read", i), numbered("x", i), 0, "end");
  }
  return net.take();
}

// Peterson's filter lock, every waiting loop unfolded once.
Network peterson(int size) {
  NetworkBuilder net(numbered("pet_", size));
  for (int i = 0; i < size; ++i) net.client(numbered("P", i), "start");
  for (int i = 0; i < size; ++i) net.variable(numbered("Q", i), 0, size - 1);
  for (int level = 1; level < size; ++level) net.variable(numbered("T", level), 0, size - 1);
  for (int i = 0; i < size; ++i) {
    const std::string who = numbered("P", i);
    std::vector<int> others;
    for (int k = 0; k < size; ++k) {
      if (k != i) others.push_back(k);
    }
    std::string at = "start";
    for (int level = 1; level < size; ++level) {
      const std::string turn = numbered("T", level);
      const auto wait = [&](std::size_t n) {
        return "wait" + std::to_string(level) + "_" + std::to_string(n);
      };
      const std::string passed = numbered("passed", level);
      net.write(who, at, numbered("Q", i), level, numbered("asked", level));
      net.write(who, numbered("asked", level), turn, i, wait(0));
      std::vector<int> lower;
      for (int value = 0; value < level; ++value) lower.push_back(value);
      for (std::size_t n = 0; n < others.size(); ++n) {
        net.test(who, wait(n), turn, others, "not_" + std::to_string(i), passed);
        net.test(who, wait(n), numbered("Q", others[n]), lower, "below_" + std::to_string(level),
                 n + 1 < others.size() ? wait(n + 1) : passed);
      }
      at = passed;
    }
    net.write(who, at, numbered("Q", i), 0, "end");
  }
  return net.take();
}

// n writers compute a_j := a_(j-1) + 1; one searcher looks for the last zero from the right.
Network last_zero(int size) {
  NetworkBuilder net(numbered("lz_", size));
  net.client("Z", numbered("at", size));
  for (int j = 1; j <= size; ++j) net.client(numbered("W", j), "start");
  for (int j = 0; j <= size; ++j) net.variable(numbered("a", j), 0, j);
  for (int i = size; i >= 0; --i) {
    net.read("Z", numbered("at", i), numbered("a", i), 0, "end");
    if (i == 0) break;
    std::vector<int> positive;
    for (int value = 1; value <= i; ++value) positive.push_back(value);
    net.test("Z", numbered("at", i), numbered("a", i), positive, "not_0", numbered("at", i - 1));
  }
  for (int j = 1; j <= size; ++j) {
    const std::string who = numbered("W", j);
    for (int value = 0; value < j; ++value) {
      net.read(who, "start", numbered("a", j - 1), value, numbered("read", value));
    }
    for (int value = 0; value < j; ++value) {
      net.write(who, numbered("read", value), numbered("a", j), value + 1, "end");
    }
  }
  return net.take();
}

// Each of n clients locks its inode and, if that has no block, looks for a free one of 26, each
// under its lock.
Network file_system(int size) {
  constexpr int blocks = 26;
  NetworkBuilder net(numbered("fs_", size));
  for (int t = 0; t < size; ++t) net.client(numbered("C", t), "start");
  for (int t = 0; t < size; ++t) net.lock(numbered("li", t));
  for (int t = 0; t < size; ++t) net.variable(numbered("ino", t), 0, 1);
  for (int b = 0; b < blocks; ++b) net.lock(numbered("lb", b));
  for (int b = 0; b < blocks; ++b) net.variable(numbered("busy", b), 0, 1);
  for (int t = 0; t < size; ++t) {
    const std::string who = numbered("C", t);
    const std::string inode = numbered("ino", t);
    net.acquire(who, "start", numbered("li", t), "locked");
    net.read(who, "locked", inode, 0, "try0");
    net.read(who, "locked", inode, 1, "leave");
    for (int k = 0; k < blocks; ++k) {
      const int b = (2 * t + k) % blocks;
      const std::string lock = numbered("lb", b);
      const std::string busy = numbered("busy", b);
      const std::string release = who + "_release_" + lock;
      net.acquire(who, numbered("try", k), lock, numbered("look", k));
      net.read(who, numbered("look", k), busy, 0, numbered("free", k));
      net.write(who, numbered("free", k), busy, 1, numbered("mark", k));
      net.write(who, numbered("mark", k), inode, 1, numbered("set", k), "_" + std::to_string(k));
      net.release(who, numbered("set", k), lock, "leave", release);
      net.read(who, numbered("look", k), busy, 1, numbered("used", k));
      net.release(who, numbered("used", k), lock, k + 1 < blocks ? numbered("try", k + 1) : "leave",
                  release + "_again");
    }
    net.release(who, "leave", numbered("li", t), "end");
  }
  return net.take();
}

// n workers serve their inbox under their lock; a picker writes numbers of workers, the dispatcher
// reads one of them, puts a job into that worker's inbox and waits for the picker to end.
Network dispatcher(int size) {
  NetworkBuilder net(numbered("disp_", size));
  for (int i = 0; i < size; ++i) net.client(numbered("S", i), "start");
  net.client("pick", "1").client("main", "start");
  for (int i = 0; i < size; ++i) net.lock(numbered("s", i));
  for (int i = 0; i < size; ++i) net.variable(numbered("in", i), 0, 1);
  for (int i = 0; i < size; ++i) net.variable(numbered("out", i), 0, 1);
  net.lock("k").variable("sid", 0, size - 1).server("j", "running");
  for (int i = 0; i < size; ++i) {
    const std::string who = numbered("S", i);
    const std::string lock = numbered("s", i);
    net.acquire(who, "start", lock, "locked");
    net.read(who, "locked", numbered("in", i), 0, "none");
    net.read(who, "locked", numbered("in", i), 1, "job");
    net.write(who, "job", numbered("out", i), 1, "served");
    net.release(who, "none", lock, "end").release(who, "served", lock, "end");
  }
  for (int value = 1; value < size; ++value) {
    net.write("pick", std::to_string(value), "sid", value, std::to_string(value + 1));
  }
  net.edge("pick", std::to_string(size), "pick_exit", "end")
      .edge("j", "running", "pick_exit", "ended");
  for (int value = 0; value < size; ++value) {
    const auto at = [&](const std::string& stem) { return stem + std::to_string(value); };
    net.read("main", "start", "sid", value, at("read"));
    net.acquire("main", at("read"), at("s"), at("locked"));
    net.read("main", at("locked"), at("in"), 0, at("seen"));
    net.write("main", at("seen"), at("in"), 1, at("sent"));
    net.release("main", at("sent"), at("s"), "sent");
  }
  net.edge("main", "sent", "main_join", "end").edge("j", "ended", "main_join", "ended");
  return net.take();
}

// A token goes once around a ring of stations. Each station serves its user if that has asked.
Network token_ring(int size) {
  NetworkBuilder net(numbered("tk_", size));
  for (int i = 0; i < size; ++i) net.client(numbered("U", i), "start");
  for (int i = 0; i < size; ++i) net.client(numbered("S", i), "start");
  for (int i = 0; i < size; ++i) net.server(numbered("D", i), "idle");
  for (int i = 0; i < size; ++i) net.server(numbered("C", i), i == 0 ? "token" : "empty");
  for (int i = 0; i < size; ++i) {
    const std::string user = numbered("U", i);
    const std::string door = numbered("D", i);
    net.edge(user, "start", user + "_ask", "asked").edge(door, "idle", user + "_ask", "asked");
    net.edge(user, "asked", user + "_enter", "inside");
    net.edge(door, "granted", user + "_enter", "entered");
    net.edge(user, "inside", user + "_leave", "end").edge(door, "entered", user + "_leave", "left");
  }
  for (int i = 0; i < size; ++i) {
    const std::string station = numbered("S", i);
    const std::string door = numbered("D", i);
    const std::string next = numbered("C", (i + 1) % size);
    net.edge(station, "start", station + "_take", "holds");
    net.edge(numbered("C", i), "token", station + "_take", "empty");
    net.edge(station, "holds", station + "_nobody", "free");
    net.edge(door, "idle", station + "_nobody", "idle");
    net.edge(station, "holds", station + "_grant", "granted");
    net.edge(door, "asked", station + "_grant", "granted");
    net.edge(station, "granted", station + "_back", "free");
    net.edge(door, "left", station + "_back", "done");
    net.edge(station, "free", station + "_pass", "end");
    net.edge(next, "empty", station + "_pass", "token");
  }
  return net.take();
}

constexpr std::array<Model, 10> table{{
    {"bg", "boolean gates in a binary tree of height N", 1, 12, boolean_gates},
    {"disp", "a dispatcher and N workers", 2, 2000, dispatcher},
    {"dp", "N dining philosophers", 2, 1000, dining},
    {"dp2", "N dining philosophers who eat twice", 2, 1000, dining_twice},
    {"fs", "N clients of a file system with 26 blocks", 1, 200, file_system},
    {"lz", "last zero: N writers and a searcher", 1, 200, last_zero},
    {"mpat", "N pairs of a reader and a writer, each with its lock", 1, 1000, multi_pattern},
    {"pet", "Peterson's mutual exclusion for N processes", 2, 30, peterson},
    {"qo", "N writers, a counter and a master", 1, 1000, quasi_optimal},
    {"tk", "a token ring of N stations with a user each", 2, 1000, token_ring},
}};

}  // namespace

std::span<const Model> models() { return table; }

const Model* find_model(std::string_view name) {
  for (const Model& model : table) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

Network multi_locks(int clients, int per_client, int locks, std::uint64_t seed) {
  NetworkBuilder net("locks_" + std::to_string(clients) + "_" + std::to_string(per_client));
  std::mt19937_64 random(seed);
  for (int i = 0; i < clients; ++i) net.client(numbered("P", i), "0");
  for (int i = 0; i < locks; ++i) net.lock(numbered("l", i));
  for (int i = 0; i < clients; ++i) {
    std::vector<int> pool;
    for (int lock = 0; lock < locks; ++lock) pool.push_back(lock);
    for (int n = 0; n < per_client; ++n) {
      const auto left = static_cast<std::uint64_t>(locks - n);
      std::swap(pool[static_cast<std::size_t>(n)],
                pool[static_cast<std::size_t>(n) + random() % left]);
    }
    int at = 0;
    for (int n = 0; n < per_client; ++n, ++at) {
      net.acquire(numbered("P", i), std::to_string(at),
                  numbered("l", pool[static_cast<std::size_t>(n)]), std::to_string(at + 1));
    }
    for (int n = 0; n < per_client; ++n, ++at) {
      net.release(numbered("P", i), std::to_string(at),
                  numbered("l", pool[static_cast<std::size_t>(n)]), std::to_string(at + 1));
    }
  }
  return net.take();
}

}  // namespace mazurka::automata
