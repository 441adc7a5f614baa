#include "memory/graphs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <unordered_set>

namespace mazurka::memory {

namespace {

constexpr std::size_t most = 16;  // events

/// A relation between events, a row of bits for each.
struct Relation {
  std::array<std::uint32_t, most> rows{};
  void add(std::size_t one, std::size_t other) { rows[one] |= std::uint32_t{1} << other; }
  [[nodiscard]] bool has(std::size_t one, std::size_t other) const {
    return (rows[one] >> other & 1U) != 0;
  }
};

Relation operator|(const Relation& one, const Relation& other) {
  Relation result;
  for (std::size_t at = 0; at < most; ++at) result.rows[at] = one.rows[at] | other.rows[at];
  return result;
}

/// First the one, then the other.
Relation operator*(const Relation& one, const Relation& other) {
  Relation result;
  for (std::size_t at = 0; at < most; ++at) {
    for (std::uint32_t left = one.rows[at]; left != 0; left &= left - 1) {
      result.rows[at] |= other.rows[static_cast<std::size_t>(std::countr_zero(left))];
    }
  }
  return result;
}

Relation closure(Relation relation) {
  for (std::size_t middle = 0; middle < most; ++middle) {
    for (std::size_t at = 0; at < most; ++at) {
      if (relation.has(at, middle)) relation.rows[at] |= relation.rows[middle];
    }
  }
  return relation;
}

bool irreflexive(const Relation& relation) {
  for (std::size_t at = 0; at < most; ++at) {
    if (relation.has(at, at)) return false;
  }
  return true;
}

bool acyclic(const Relation& relation) { return irreflexive(closure(relation)); }

template <typename Fits>
Relation identity(std::size_t count, Fits&& fits) {
  Relation result;
  for (std::size_t at = 0; at < count; ++at) {
    if (fits(at)) result.add(at, at);
  }
  return result;
}

template <typename Fits>
Relation filtered(const Relation& relation, std::size_t count, Fits&& fits) {
  Relation result;
  for (std::size_t one = 0; one < count; ++one) {
    for (std::size_t other = 0; other < count; ++other) {
      if (relation.has(one, other) && fits(one, other)) result.add(one, other);
    }
  }
  return result;
}

constexpr int initial = -1;
constexpr int no_variable = -1;

struct Event {
  enum class Type : std::uint8_t { read, write, fence };
  Type type{};
  std::size_t thread = 0;
  std::size_t nth = 0;  // of its thread
  int variable = no_variable;
  int value = 0;
  Order order{};
  int source = initial;  // of a read: the write, as an event
  bool rmw = false;      // a write that belongs to the read before it, or such a read
  bool fails = false;    // without a reason: a weak compare-exchange
  bool unused = false;   // nobody looks at what it reads, and writes with one added
};

bool acquires(Order order) {
  return order == Order::acquire || order == Order::acquire_release || order == Order::seq_cst;
}
bool releases(Order order) {
  return order == Order::release || order == Order::acquire_release || order == Order::seq_cst;
}

/// What a read waits for.
enum class Wait : std::uint8_t { nothing, for_zero, for_more };

/// What a thread does next.
struct Next {
  bool ended = false;
  bool assumption = false;
  Event event = {};
  Wait wait = Wait::nothing;
};

bool is_told(const Operation& one) {  // what it reads
  using Kind = Operation::Kind;
  return one.kind == Kind::read || (one.kind == Kind::add && !one.unused) ||
         one.kind == Kind::compare_exchange;
}

Wait wait_of(Operation::Kind kind) {
  using Kind = Operation::Kind;
  return kind == Kind::lock ? Wait::for_zero : kind == Kind::take ? Wait::for_more : Wait::nothing;
}

bool fits(Wait wait, int value) {
  return wait == Wait::nothing || (wait == Wait::for_zero) == (value == 0);
}

class Enumeration {
 public:
  Enumeration(const Program& program, Model model, int weak_failures)
      : program_(program), model_(model), weak_failures_(weak_failures) {
    by_variable_.resize(static_cast<std::size_t>(semaphore()) + 1);
  }

  Graphs run() {
    go();
    return std::move(result_);
  }

 private:
  using Type = Event::Type;
  using Kind = Operation::Kind;

  // The mutexes are variables behind the others, and so is the semaphore.
  [[nodiscard]] int semaphore() const { return program_.variables + Program::mutexes; }
  [[nodiscard]] int initial_value(int variable) const {
    return variable == semaphore() ? program_.tokens : 0;
  }

  // The thread is performed again with the values that its reads have in the graph.
  Next next_of(std::size_t thread) const {
    std::vector<std::size_t> own;
    for (std::size_t at = 0; at < events_.size(); ++at) {
      if (events_[at].thread == thread) own.push_back(at);
    }
    std::size_t done = 0;
    int last = 0;
    for (const Operation& one : program_.threads[thread]) {
      if (one.only_if && *one.only_if != last) continue;
      if (one.kind == Kind::assume) {
        if (last != one.value) return {.ended = true, .assumption = true};
        continue;
      }
      Event event;
      event.thread = thread;
      event.nth = done;
      event.variable = one.variable;
      event.order = one.order;
      event.value = one.value;
      event.unused = one.unused;
      switch (one.kind) {
        case Kind::fence:
          event.type = Type::fence;
          event.variable = no_variable;
          break;
        case Kind::write: event.type = Type::write; break;
        case Kind::unlock:
          event.type = Type::write;
          event.variable += program_.variables;
          event.order = Order::release;
          event.value = 0;
          break;
        default: event.type = Type::read; break;
      }
      if (one.kind == Kind::lock) event.variable += program_.variables;
      if (one.kind == Kind::take || one.kind == Kind::give) event.variable = semaphore();
      if (wait_of(one.kind) != Wait::nothing) event.order = Order::acquire;
      if (one.kind == Kind::give) event.order = Order::release;
      event.rmw =
          event.type == Type::read && one.kind != Kind::read && one.kind != Kind::compare_exchange;
      if (done == own.size()) return {.event = event, .wait = wait_of(one.kind)};
      const Event& here = events_[own[done++]];
      if (event.type != Type::read) continue;
      if (is_told(one)) last = here.value;
      if (one.kind == Kind::read) continue;
      if (one.kind == Kind::compare_exchange && !here.rmw) continue;
      Event write = event;
      write.type = Type::write;
      write.nth = done;
      write.rmw = true;
      write.value = value_written(one, here.value);
      if (done == own.size()) return {.event = write};
      ++done;
    }
    return {.ended = true};
  }

  [[nodiscard]] static int value_written(const Operation& one, int before) {
    switch (one.kind) {
      case Kind::add: return before + one.value;
      case Kind::lock: return 1;
      case Kind::take: return before - 1;
      case Kind::give: return before + 1;
      default: return one.value;
    }
  }

  // What a compare-exchange has read decides whether it is one, and in which order. A weak one may
  // fail all the same: returns whether it may.
  bool settle_compare_exchange(const Event& event, int value, Event& settled) const {
    settled = event;
    settled.value = value;
    std::size_t done = 0;
    int last = 0;
    std::vector<std::size_t> own;
    for (std::size_t at = 0; at < events_.size(); ++at) {
      if (events_[at].thread == event.thread) own.push_back(at);
    }
    for (const Operation& one : program_.threads[event.thread]) {
      if (one.only_if && *one.only_if != last) continue;
      if (one.kind == Kind::assume) continue;
      const bool here = done == event.nth;
      if (here && one.kind == Kind::compare_exchange) {
        settled.rmw = value == one.expected && !event.fails;
        if (!settled.rmw) settled.order = one.failure;
      }
      if (here) return settled.rmw && one.weak && failures_of(event.thread) < weak_failures_;
      const Event& at = events_[own[done++]];
      if (at.type == Type::read) {
        if (is_told(one)) last = at.value;
        if (at.rmw) ++done;
      }
    }
    return false;
  }
  [[nodiscard]] int failures_of(std::size_t thread) const {
    return static_cast<int>(std::count_if(events_.begin(), events_.end(), [&](const Event& one) {
      return one.thread == thread && one.fails;
    }));
  }

  void go() {
    if (!seen_.insert(key()).second) return;
    if (!consistent()) return;
    bool all_ended = true;
    bool goes_on = false;
    bool assumed = false;
    for (std::size_t thread = 0; thread < program_.threads.size(); ++thread) {
      const Next next = next_of(thread);
      assumed = assumed || next.assumption;
      if (next.ended) continue;
      all_ended = false;
      goes_on = goes_on || fits(next.wait, last_value(next.event.variable));
      add(next);
    }
    if (goes_on) return;
    if (assumed) {
      ++result_.assumed;
      return;
    }
    if (!all_ended) {
      ++result_.blocked;
      return;
    }
    if (has_unused() && !traces_.insert(trace()).second) return;
    ++result_.complete;
    ++result_.outcomes[outcome()];
  }

  [[nodiscard]] int last_value(int variable) const {
    if (variable == no_variable) return 0;
    const auto& writes = by_variable_[static_cast<std::size_t>(variable)];
    return writes.empty() ? initial_value(variable)
                          : events_[static_cast<std::size_t>(writes.back())].value;
  }

  void add(const Next& next) {
    const auto number = static_cast<int>(events_.size());
    if (next.event.type == Type::fence) {
      events_.push_back(next.event);
      go();
      events_.pop_back();
      return;
    }
    auto& writes = by_variable_[static_cast<std::size_t>(next.event.variable)];
    if (next.event.type == Type::read) {
      std::vector<int> sources{initial};
      sources.insert(sources.end(), writes.begin(), writes.end());
      for (const int source : sources) {
        const int value = source == initial ? initial_value(next.event.variable)
                                            : events_[static_cast<std::size_t>(source)].value;
        if (!fits(next.wait, value)) continue;
        Event tried = next.event;
        Event event;
        bool may_fail = settle_compare_exchange(tried, value, event);
        add_read(event, source);
        if (!may_fail) continue;
        tried.fails = true;
        (void)settle_compare_exchange(tried, value, event);
        add_read(event, source);
      }
      return;
    }
    for (std::size_t place = 0; place <= writes.size(); ++place) {
      writes.insert(writes.begin() + static_cast<std::ptrdiff_t>(place), number);
      events_.push_back(next.event);
      go();
      events_.pop_back();
      writes.erase(writes.begin() + static_cast<std::ptrdiff_t>(place));
    }
  }

  void add_read(Event event, int source) {
    event.source = source;
    events_.push_back(event);
    go();
    events_.pop_back();
  }

  // The same whatever the order is in which the events were added: for each thread what its events
  // read, one after the other, and the writes of each variable in their order.
  std::string key() const {
    const auto name = [&](int event) {
      if (event == initial) return '\xff';
      const Event& one = events_[static_cast<std::size_t>(event)];
      return static_cast<char>(one.thread * 32 + one.nth);
    };
    std::string text;
    for (std::size_t thread = 0; thread < program_.threads.size(); ++thread) {
      for (const Event& event : events_) {
        if (event.thread != thread) continue;
        text += event.type == Type::read ? name(event.source) : '\xfe';
        if (event.fails) text += '\xfd';
      }
      text += '\xfc';
    }
    for (const auto& writes : by_variable_) {
      for (const int write : writes) text += name(write);
      text += '\xfc';
    }
    return text;
  }

  [[nodiscard]] bool has_unused() const {
    return std::any_of(events_.begin(), events_.end(), [](const Event& one) { return one.unused; });
  }

  // Graphs that differ only in the order of additions whose results nobody uses are one if memory
  // is sequentially consistent: of each pair of other accesses to a variable, which comes first.
  std::string trace() const {
    std::vector<std::size_t> named(events_.size());  // by thread and place
    std::iota(named.begin(), named.end(), std::size_t{0});
    std::sort(named.begin(), named.end(), [&](std::size_t one, std::size_t other) {
      return std::pair(events_[one].thread, events_[one].nth) <
             std::pair(events_[other].thread, events_[other].nth);
    });
    std::string text;
    for (const std::size_t one : named) {
      const Event& event = events_[one];
      text += static_cast<char>(event.thread * 32 + event.nth);
      if (event.variable == no_variable || (event.type == Type::read && event.unused)) continue;
      const auto& writes = by_variable_[static_cast<std::size_t>(event.variable)];
      const int last = event.type == Type::read ? event.source : static_cast<int>(one);
      std::string before;
      for (auto write = writes.begin(); last != initial && write != writes.end(); ++write) {
        const Event& other = events_[static_cast<std::size_t>(*write)];
        if (!event.unused || !other.unused) {
          before += static_cast<char>(other.thread * 32 + other.nth);
        }
        if (*write == last) break;
      }
      std::sort(before.begin(), before.end());
      text += before + '\xfc';
    }
    return text;
  }

  std::string outcome() const {
    std::string text;
    for (std::size_t thread = 0; thread < program_.threads.size(); ++thread) {
      std::vector<const Event*> own;
      for (const Event& event : events_) {
        const bool told =
            event.type == Type::read && event.variable < program_.variables && !event.unused;
        if (event.thread == thread && told) own.push_back(&event);
      }
      std::sort(own.begin(), own.end(),
                [](const Event* one, const Event* other) { return one->nth < other->nth; });
      for (const Event* event : own) text += std::to_string(event->value) + " ";
      text += "/ ";
    }
    for (int variable = 0; variable < program_.variables; ++variable) {
      text += std::to_string(last_value(variable)) + " ";
    }
    return text;
  }

  [[nodiscard]] bool consistent() const {
    const std::size_t count = events_.size();
    const auto same_variable = [&](std::size_t one, std::size_t other) {
      return events_[one].variable != no_variable &&
             events_[one].variable == events_[other].variable;
    };
    Relation po;
    Relation rf;
    Relation mo;
    Relation fr;
    Relation rmw;
    for (std::size_t one = 0; one < count; ++one) {
      for (std::size_t other = 0; other < count; ++other) {
        const Event& a = events_[one];
        const Event& b = events_[other];
        if (a.thread != b.thread || a.nth >= b.nth) continue;
        po.add(one, other);
        if (b.nth == a.nth + 1 && a.rmw && a.type == Type::read && b.type == Type::write) {
          rmw.add(one, other);
        }
      }
    }
    for (const auto& writes : by_variable_) {
      for (std::size_t one = 0; one < writes.size(); ++one) {
        for (std::size_t other = one + 1; other < writes.size(); ++other) {
          mo.add(static_cast<std::size_t>(writes[one]), static_cast<std::size_t>(writes[other]));
        }
      }
    }
    for (std::size_t read = 0; read < count; ++read) {
      if (events_[read].type != Type::read) continue;
      const int source = events_[read].source;
      if (source != initial) rf.add(static_cast<std::size_t>(source), read);
      for (const int write : by_variable_[static_cast<std::size_t>(events_[read].variable)]) {
        if (source == initial ||
            mo.has(static_cast<std::size_t>(source), static_cast<std::size_t>(write))) {
          fr.add(read, static_cast<std::size_t>(write));
        }
      }
    }
    // Nothing between the two halves of a read-modify-write.
    const Relation between = fr * mo;
    for (std::size_t one = 0; one < count; ++one) {
      if ((between.rows[one] & rmw.rows[one]) != 0) return false;
    }
    const Relation communication = rf | mo | fr;
    if (model_ == Model::sc) return acyclic(po | communication);
    const Relation po_same = filtered(po, count, same_variable);
    if (!acyclic(po_same | communication)) return false;
    if (model_ == Model::tso) return is_tso(po, rf, mo, fr);
    return is_rc11(po, po_same, rf, mo, fr, rmw);
  }

  [[nodiscard]] bool is_tso(const Relation& po, const Relation& rf, const Relation& mo,
                            const Relation& fr) const {
    const std::size_t count = events_.size();
    const auto is_barrier = [&](std::size_t at) {
      return events_[at].rmw ||
             (events_[at].type == Type::fence && events_[at].order == Order::seq_cst);
    };
    const Relation kept = filtered(po, count, [&](std::size_t one, std::size_t other) {
      const Event& a = events_[one];
      const Event& b = events_[other];
      if (a.type == Type::fence || b.type == Type::fence) return false;
      if (a.type != Type::write || b.type != Type::read) return true;
      if (a.rmw || b.rmw || a.order == Order::seq_cst) return true;
      for (std::size_t middle = 0; middle < count; ++middle) {
        if (is_barrier(middle) && po.has(one, middle) && po.has(middle, other)) return true;
      }
      return false;
    });
    const Relation external = filtered(rf, count, [&](std::size_t one, std::size_t other) {
      return events_[one].thread != events_[other].thread;
    });
    return acyclic(kept | external | mo | fr);
  }

  [[nodiscard]] bool is_atomic(std::size_t at) const {  // and not a lock, or a token
    return events_[at].variable < program_.variables;
  }
  [[nodiscard]] Order order_of(std::size_t at) const {
    return model_ == Model::ra && is_atomic(at) ? Order::acquire_release : events_[at].order;
  }

  [[nodiscard]] bool is_rc11(const Relation& po, const Relation& po_same, const Relation& rf,
                             const Relation& mo, const Relation& fr, const Relation& rmw) const {
    const std::size_t count = events_.size();
    const auto is = [&](Type type) {
      return identity(count, [&](std::size_t at) { return events_[at].type == type; });
    };
    const Relation all = identity(count, [](std::size_t) { return true; });
    const Relation fences = is(Type::fence);
    const Relation releasing = identity(count, [&](std::size_t at) {
      return events_[at].type != Type::read && releases(order_of(at));
    });
    const Relation acquiring = identity(count, [&](std::size_t at) {
      return events_[at].type != Type::write && acquires(order_of(at));
    });
    const Relation sequence = is(Type::write) * (all | closure(rf * rmw));
    // Fences make atomic operations release and acquire, not locks and tokens.
    const Relation atomics = identity(count, [&](std::size_t at) { return is_atomic(at); });
    const Relation synchronises = releasing * (all | fences * po * atomics) * sequence * rf *
                                  (all | atomics * po * fences) * acquiring;
    const Relation hb = closure(po | synchronises);
    const Relation eco = closure(rf | mo | fr);
    if (!irreflexive(hb) || !irreflexive(hb * eco)) return false;
    if (model_ == Model::ra) return true;
    const auto is_strong = [&](std::size_t at) { return events_[at].order == Order::seq_cst; };
    const Relation strong = identity(count, is_strong);
    const Relation strong_fences = identity(
        count, [&](std::size_t at) { return is_strong(at) && events_[at].type == Type::fence; });
    const Relation po_other = filtered(
        po, count, [&](std::size_t one, std::size_t other) { return !po_same.has(one, other); });
    const Relation hb_same = filtered(hb, count, [&](std::size_t one, std::size_t other) {
      return events_[one].variable != no_variable &&
             events_[one].variable == events_[other].variable;
    });
    // Who gives a token learns nothing from those who gave one before: that is no order of fences.
    const auto of_atomics = [&](const Relation& relation) {
      return filtered(relation, count,
                      [&](std::size_t one, std::size_t) { return is_atomic(one); });
    };
    const Relation middle =
        po | po_other * hb * po_other | hb_same | of_atomics(mo) | of_atomics(fr);
    const Relation base =
        (strong | strong_fences * (all | hb)) * middle * (strong | (all | hb) * strong_fences);
    const Relation by_fences = strong_fences * (hb | hb * of_atomics(eco) * hb) * strong_fences;
    return acyclic(base | by_fences);
  }

  const Program& program_;
  Model model_;
  int weak_failures_;  // of a thread, at most
  std::vector<Event> events_;
  std::vector<std::vector<int>> by_variable_;  // the writes, in their order
  std::unordered_set<std::string> seen_;
  std::unordered_set<std::string> traces_;
  Graphs result_;
};

}  // namespace

Graphs all_graphs(const Program& program, Model model, int weak_failures) {
  if (size_of(program) > most) throw std::length_error("a program with too many events");
  return Enumeration(program, model, weak_failures).run();
}

}  // namespace mazurka::memory
