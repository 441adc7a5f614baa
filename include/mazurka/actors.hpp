// Actors: plain C++ types that take turns at handling messages, checked in every order.
//
//   struct Account {
//     int balance = 0;
//     void deposit(int amount) { balance += amount; }
//   };
//   struct Customer {
//     mazurka::Ref<Account> account;
//     void pay_day(mazurka::Context& context) { context.send<&Account::deposit>(account, 100); }
//   };
//   void bank(mazurka::Setup& system) {
//     const auto account = system.spawn<Account>();
//     system.send<&Customer::pay_day>(system.spawn<Customer>(account));
//     system.finally("paid", [=](const mazurka::View& view) { return view[account].balance == 100;
//     });
//   }
//   int main() { return mazurka::run(bank); }
//
// An actor is a value; a handler is a member function, which may take a Context as its first
// parameter to send, spawn and so on. A step is one actor handling one message, all at once. Run by
// itself the program performs one execution; `mazurka check file.cpp` performs all that differ, and
// so does mazurka::check(bank) from a test. docs/actors.md is the whole story.
//
// Link with libmazurka-actors; nothing but the standard library is needed besides.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "mazurka/actors/erased.hpp"

namespace mazurka {

/// The address of an actor that handles T's messages. A value: copy it, compare it, send it.
template <typename T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(std::uint32_t id) : id_(id) {}
  [[nodiscard]] std::uint32_t id() const { return id_; }
  [[nodiscard]] std::size_t hash() const { return id_; }
  [[nodiscard]] explicit operator bool() const { return id_ != none; }
  [[nodiscard]] std::string show(const actors::Names& names) const {
    return id_ == none ? "nobody" : names.name_of(id_);
  }
  /// The same actor, when it has become another type.
  template <typename Other>
  [[nodiscard]] Ref<Other> as() const {
    return Ref<Other>(id_);
  }
  friend bool operator==(const Ref&, const Ref&) = default;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t id_ = none;
};

/// The answer to a request, to be awaited in the same step.
template <typename Result>
struct Future {
  std::uint32_t request = 0;
};

namespace actors {

/// What the engine does for a step. Memory that it hands out is for the caller to construct in.
class Host : public Names {
 public:
  virtual void* send(const Handler& handler, std::uint32_t to, std::uint32_t& request) = 0;
  virtual Message& await(std::uint32_t request, const Handler& handler) = 0;
  virtual void* spawn(const ActorType& type, std::uint32_t& id) = 0;
  virtual void* become(const ActorType& type) = 0;
  virtual void stop() = 0;
  virtual void crash(std::uint32_t actor) = 0;
  virtual void monitor(std::uint32_t watcher, std::uint32_t actor, const Handler& handler) = 0;
  [[nodiscard]] virtual std::uint32_t self() const = 0;
  virtual void expect(bool condition, const std::string& text) = 0;

  [[nodiscard]] virtual std::size_t actor_count() const = 0;
  [[nodiscard]] virtual std::uint32_t actor_at(std::size_t at) const = 0;  // in order of creation
  [[nodiscard]] virtual const ActorType* type_of(std::uint32_t actor) const = 0;  // null: dead
  [[nodiscard]] virtual const void* state_of(std::uint32_t actor) const = 0;
  [[nodiscard]] virtual std::size_t pending(const Handler* handler) const = 0;
  /// A condition reads actors of this type. Throws if it is an invariant that did not say so.
  virtual void reads(const ActorType& type) const = 0;
};

}  // namespace actors

/// The states of all actors, for invariants and final conditions.
class View {
 public:
  explicit View(const actors::Host& host) : host_(host) {}

  /// Whether the actor exists, is alive and is a T.
  template <typename T>
  [[nodiscard]] bool has(Ref<T> actor) const {
    host_.reads(actors::detail::actor_type<T>);
    return host_.type_of(actor.id()) == &actors::detail::actor_type<T>;
  }
  /// Its state; has(actor) must be true.
  template <typename T>
  [[nodiscard]] const T& operator[](Ref<T> actor) const {
    host_.reads(actors::detail::actor_type<T>);
    return *static_cast<const T*>(host_.state_of(actor.id()));
  }
  /// Calls visit(actor, state) for every living actor of type T, in the order of creation.
  template <typename T, typename Visit>
  void each(Visit&& visit) const {
    for (std::size_t at = 0; at < host_.actor_count(); ++at) {
      const Ref<T> actor(host_.actor_at(at));
      if (has(actor)) visit(actor, (*this)[actor]);
    }
  }
  template <typename T, typename Condition>
  [[nodiscard]] std::size_t count(Condition&& condition) const {
    std::size_t number = 0;
    each<T>([&](Ref<T>, const T& state) { number += condition(state) ? 1 : 0; });
    return number;
  }
  /// How many messages for this handler wait to be handled. Any step may send one, so among
  /// invariants only those over all actors, invariant<>, may ask.
  template <auto H>
  [[nodiscard]] std::size_t pending() const {
    return host_.pending(&actors::detail::handler<H>);
  }

 private:
  const actors::Host& host_;
};

/// What a handler can do besides changing its own actor's state.
class Context {
 public:
  explicit Context(actors::Host& host) : host_(host) {}

  /// Sends a message; it is handled in some later step.
  template <auto H, typename... Arguments>
  void send(Ref<typename actors::detail::TraitsOf<H>::owner> to, Arguments&&... arguments) {
    (void)post<H>(to, std::forward<Arguments>(arguments)...);
  }

  /// Sends a request whose answer, the handler's result, can be awaited.
  template <auto H, typename... Arguments>
  [[nodiscard]] auto ask(Ref<typename actors::detail::TraitsOf<H>::owner> to,
                         Arguments&&... arguments) {
    using Result = std::decay_t<typename actors::detail::TraitsOf<H>::result>;
    return Future<Result>{post<H>(to, std::forward<Arguments>(arguments)...)};
  }
  /// When the request has been handled, this actor goes on with the handler H, which gets the
  /// answer (unless it is void) and then the given arguments. Meanwhile it handles other messages.
  template <auto H, typename Result, typename... Arguments>
  void await(Future<Result> future, Arguments&&... arguments) {
    using Values = typename actors::detail::TraitsOf<H>::arguments;
    actors::Message& reply = host_.await(future.request, actors::detail::handler<H>);
    if constexpr (std::is_void_v<Result>) {
      new (reply.arguments) Values(std::forward<Arguments>(arguments)...);
    } else {
      auto* values = new (reply.arguments) Values(Result{}, std::forward<Arguments>(arguments)...);
      static_assert(std::is_same_v<std::tuple_element_t<0, Values>, Result>,
                    "the first parameter of the awaiting handler is the answer");
      reply.result = &std::get<0>(*values);
    }
  }

// What is not given has its own initialiser, which some compilers would rather see repeated.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
  /// A new actor, T{arguments...}.
  template <typename T, typename... Arguments>
  Ref<T> spawn(Arguments&&... arguments) {
    std::uint32_t id = 0;
    void* memory = host_.spawn(actors::detail::actor_type<T>, id);
    new (memory) T{std::forward<Arguments>(arguments)...};
    return Ref<T>(id);
  }
#pragma GCC diagnostic pop
  template <typename T>
  [[nodiscard]] Ref<T> self() const {
    return Ref<T>(host_.self());
  }

  /// After this step the actor is a `To`. Messages for the old type wait until it is that type
  /// again. Both types say so: `using becomes = void;`.
  template <typename To>
  void become(To next) {
    static_assert(actors::detail::has_becomes<To>(), "the class needs `using becomes = void;`");
    new (host_.become(actors::detail::actor_type<To>)) To(std::move(next));
  }

  /// The actor ends after this step; its class says `static constexpr bool mortal = true;`.
  void stop() { host_.stop(); }
  /// The actor fails at some later point: whatever it has not handled by then is lost.
  template <typename T>
  void crash(Ref<T> actor) {
    static_assert(actors::detail::is_mortal<T>(),
                  "an actor that may fail needs `static constexpr bool mortal = true;`");
    host_.crash(actor.id());
  }
  /// When the actor has failed or stopped, or if it has already, this one gets the message
  /// H(actor).
  template <auto H, typename T>
  void monitor(Ref<T> actor) {
    static_assert(
        std::is_same_v<typename actors::detail::TraitsOf<H>::arguments, std::tuple<Ref<T>>>,
        "the handler takes the reference of the actor that failed");
    host_.monitor(host_.self(), actor.id(), actors::detail::handler<H>);
  }

  /// An assertion: a finding if the condition does not hold.
  void expect(bool condition, const std::string& text) { host_.expect(condition, text); }

 protected:
  template <auto H, typename T, typename... Arguments>
  std::uint32_t post(Ref<T> to, Arguments&&... arguments) {
    std::uint32_t request = 0;
    void* memory = host_.send(actors::detail::handler<H>, to.id(), request);
    using Values = typename actors::detail::TraitsOf<H>::arguments;
    new (memory) Values(std::forward<Arguments>(arguments)...);
    return request;
  }

  actors::Host& host_;
};

using Condition = std::function<bool(const View&)>;

namespace actors {

struct NamedCondition {
  std::string name;
  Condition holds;
};

/// What a system is besides its first actors and messages.
struct Rules {
  std::vector<NamedCondition> invariants;
  std::vector<NamedCondition> finally;
  std::vector<const ActorType*> watched;  // by the invariants
  bool watch_all = false;
  bool fifo_channels = false;
  bool forbid_orphans = false;
  bool allow_waiting = false;
  std::vector<std::pair<std::uint32_t, std::string>> names;
};

}  // namespace actors

/// The initial configuration and what must hold. The function that fills it in runs once.
class Setup : public Context {
 public:
  Setup(actors::Host& host, actors::Rules& rules) : Context(host), rules_(rules) {}

  /// Must hold in every state. It reads actors of the types T... only, or of all types if none is
  /// given: steps of the actors that it reads are explored in every order.
  template <typename... T>
  void invariant(std::string name, Condition condition) {
    rules_.invariants.push_back({std::move(name), std::move(condition)});
    (rules_.watched.push_back(&actors::detail::actor_type<T>), ...);
    if constexpr (sizeof...(T) == 0) rules_.watch_all = true;
  }
  /// Must hold whenever nothing is left to be handled.
  void finally(std::string name, Condition condition) {
    rules_.finally.push_back({std::move(name), std::move(condition)});
  }
  /// Messages from one actor to another arrive in the order in which they were sent.
  void use_fifo_channels() { rules_.fifo_channels = true; }
  /// A message that an actor which failed did not handle is a finding.
  void forbid_orphans() { rules_.forbid_orphans = true; }
  /// Messages that nothing will enable any more are no deadlock.
  void allow_waiting() { rules_.allow_waiting = true; }
  /// The state that the actor begins with, to be changed once all actors are there.
  template <typename T>
  [[nodiscard]] T& state(Ref<T> actor) {
    return *static_cast<T*>(const_cast<void*>(host_.state_of(actor.id())));
  }
  /// The watcher gets the message H(actor) when the actor has failed or stopped.
  template <auto H, typename T>
  void monitor(Ref<typename actors::detail::TraitsOf<H>::owner> watcher, Ref<T> actor) {
    host_.monitor(watcher.id(), actor.id(), actors::detail::handler<H>);
  }
  /// How reports call the actor.
  template <typename T>
  void name(Ref<T> actor, std::string text) {
    rules_.names.emplace_back(actor.id(), std::move(text));
  }

 private:
  actors::Rules& rules_;
};

/// Must hold in every state; see Setup::invariant.
template <typename... T>
void invariant(Setup& system, std::string name, Condition condition) {
  system.invariant<T...>(std::move(name), std::move(condition));
}

/// A system of actors: the function that sets it up.
using System = std::function<void(Setup&)>;

/// Which pending message comes next where the search does not care.
enum class Order : std::uint8_t {
  fifo,    // the receiver of the oldest message
  eca,     // the receiver that was created earliest
  lca,     // the receiver that was created latest
  urgent,  // the oldest urgent message, if there is one; else as fifo
};

struct CheckOptions {
  std::string technique = "optimal";
  Order order = Order::fifo;
  bool sleep_sets = true;  // for the techniques that can do without: dpor and trans
  bool keep_going = false;
  std::uint64_t max_executions = 0;  // 0: no limit
  double max_seconds = 0;
  std::uint64_t max_events = 100'000;
  std::uint64_t seed = 0;
};

struct Problem {
  std::string kind;     // "assertion", "deadlock", "orphan", "uncaught exception"
  std::string message;  // one line
  std::string chart;    // the message sequence that leads there
};

struct CheckResult {
  bool complete = false;  // every behaviour was explored
  std::vector<Problem> problems;
  std::uint64_t executions = 0;   // that ran to their end
  std::uint64_t asleep = 0;       // abandoned as redundant
  std::uint64_t transitions = 0;  // edges of the tree of executions
  std::uint64_t events = 0;       // messages handled, repeated ones included
  double seconds = 0;
  std::string error;  // not empty: the check could not be done

  [[nodiscard]] bool verified() const { return complete && problems.empty() && error.empty(); }
};

/// Explores the system in this process.
[[nodiscard, gnu::visibility("default")]] CheckResult check(const System& system,
                                                            const CheckOptions& options = {});

/// For main: answers the checker if it asks, else performs one execution. Returns an exit code.
[[nodiscard, gnu::visibility("default")]] int run(const System& system);

}  // namespace mazurka
