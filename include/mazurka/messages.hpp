// Message passing: actors that communicate through mailboxes and synchronise on asynchronous
// mutexes, semaphores, barriers and condition variables.
//
//   mazurka::messages::Mailbox<int> orders;
//
//   void customer() { orders.send(7); }
//   void kitchen() { assert(orders.receive() == 7); }
//
//   int main() { mazurka::messages::run(customer, kitchen); }
//
// Everything that could wait comes in two parts: a request, which never waits and returns at once,
// and a test of or a wait for its fulfilment. The blocking calls are just that:
//
//   auto first = box.async_receive();      // requests
//   auto second = other.async_receive();
//   switch (wait_any(first, second)) {     // one of them, whichever: all possibilities are
//   explored
//     case 0: use(first.get()); break;
//     case 1: use(second.get()); break;
//   }
//
// The n-th send to a mailbox meets the n-th receive. What is sent is copied; the receiver's wait or
// test hands it over. Only the actor that made a request may test it or wait for it. Mailboxes and
// their relatives must outlive the requests made there.
//
// Programs that use this header are checked by `mazurka check`; the runtime that is linked by it
// (or by mazurka-c++) is what makes the calls work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

// Provided by the checker's runtime. The numbers of the first parameter are
// mazurka::messages::detail::Call.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
std::uint64_t __mazurka_messages_request(int call, const void* object, std::uint64_t payload,
                                         std::uint32_t parameter);
void __mazurka_messages_change(int call, const void* object);
int __mazurka_messages_test(const std::uint64_t* requests, int count);
void __mazurka_messages_wait(std::uint64_t request);
int __mazurka_messages_wait_any(const std::uint64_t* requests, int count);
std::uint64_t __mazurka_messages_payload(std::uint64_t request);
std::uint64_t __mazurka_messages_latest(const void* mutex);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace mazurka::messages {

namespace detail {
enum Call : int { send, receive, acquire, post, lock, unlock, arrive, enqueue, signal, broadcast };
}  // namespace detail

/// Something that was asked for and may be fulfilled later.
class Request {
 public:
  explicit Request(std::uint64_t name) : name_(name) {}

  /// Whether it is fulfilled now.
  [[nodiscard]] bool test() { return __mazurka_messages_test(&name_, 1) == 0; }
  /// Goes on when it is fulfilled.
  void wait() { __mazurka_messages_wait(name_); }

  [[nodiscard]] std::uint64_t name() const { return name_; }

 private:
  std::uint64_t name_;
};

/// A message that is to come.
template <typename T>
class Receiving : public Request {
 public:
  using Request::Request;

  /// Goes on when the message is there, and gives it. Only once.
  [[nodiscard]] T wait() {
    Request::wait();
    return get();
  }
  /// The message, after a wait or a test that succeeded. Only once.
  [[nodiscard]] T get() {
    T* sent = reinterpret_cast<T*>(__mazurka_messages_payload(name()));
    T message = std::move(*sent);
    delete sent;
    return message;
  }
};

/// The first in first out meeting point of sends and receives.
template <typename T>
class Mailbox {
 public:
  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Fulfilled when someone has asked to receive the message.
  Request async_send(const T& message) {
    return Request(__mazurka_messages_request(detail::send, this,
                                              reinterpret_cast<std::uint64_t>(new T(message)), 0));
  }
  /// Fulfilled when a message is there.
  [[nodiscard]] Receiving<T> async_receive() {
    return Receiving<T>(__mazurka_messages_request(detail::receive, this, 0, 0));
  }

  void send(const T& message) { async_send(message).wait(); }
  [[nodiscard]] T receive() { return async_receive().wait(); }

 private:
  char identity_ = 0;  // its address is the mailbox
};

/// Granted in the order in which it was asked for.
class Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  /// Asks for the mutex; fulfilled when the actor owns it.
  Request async_lock() { return Request(__mazurka_messages_request(detail::lock, this, 0, 0)); }
  /// Gives up the mutex, or the latest request for it.
  void unlock() { __mazurka_messages_change(detail::unlock, this); }
  /// Whether the latest request is fulfilled; goes on when it is.
  [[nodiscard]] bool test() { return Request(__mazurka_messages_latest(this)).test(); }
  void wait() { Request(__mazurka_messages_latest(this)).wait(); }

  void lock() { async_lock().wait(); }

 private:
  char identity_ = 0;
};

class Semaphore {
 public:
  explicit Semaphore(std::uint32_t count) : count_(count) {}
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  Request async_acquire() {
    return Request(__mazurka_messages_request(detail::acquire, this, 0, count_));
  }
  void acquire() { async_acquire().wait(); }
  void release() { __mazurka_messages_change(detail::post, this); }

 private:
  std::uint32_t count_;
};

/// Every `count` arrivals are a round.
class Barrier {
 public:
  explicit Barrier(std::uint32_t count) : count_(count) {}
  Barrier(const Barrier&) = delete;
  Barrier& operator=(const Barrier&) = delete;

  /// Fulfilled when the round is complete.
  Request async_arrive() {
    return Request(__mazurka_messages_request(detail::arrive, this, 0, count_));
  }
  void arrive_and_wait() { async_arrive().wait(); }

 private:
  std::uint32_t count_;
};

class Condition {
 public:
  Condition() = default;
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  /// Queues up and gives up the mutex, which must be owned; fulfilled by a notification. Whoever
  /// waits for it this way has to lock the mutex again.
  Request async_wait(Mutex& mutex) {
    const Request request(__mazurka_messages_request(detail::enqueue, this, 0, 0));
    mutex.unlock();
    return request;
  }
  void wait(Mutex& mutex) {
    async_wait(mutex).wait();
    mutex.lock();
  }
  void notify_one() { __mazurka_messages_change(detail::signal, this); }
  void notify_all() { __mazurka_messages_change(detail::broadcast, this); }

 private:
  char identity_ = 0;
};

namespace detail {
template <typename... Types>
using AllRequests = std::enable_if_t<(std::is_base_of_v<Request, Types> && ...)>;
}  // namespace detail

/// One of the requests that is fulfilled now, whichever; nothing if none is.
[[nodiscard]] inline std::optional<std::size_t> test_any(const std::vector<Request>& requests) {
  std::vector<std::uint64_t> names;
  for (const Request& request : requests) names.push_back(request.name());
  const int found = __mazurka_messages_test(names.data(), static_cast<int>(names.size()));
  if (found < 0) return std::nullopt;
  return static_cast<std::size_t>(found);
}
template <typename... Requests, typename = detail::AllRequests<Requests...>>
[[nodiscard]] std::optional<std::size_t> test_any(const Requests&... requests) {
  return test_any(std::vector<Request>{static_cast<const Request&>(requests)...});
}

/// Goes on when one of the requests is fulfilled; which one, if several are, is explored.
[[nodiscard]] inline std::size_t wait_any(const std::vector<Request>& requests) {
  std::vector<std::uint64_t> names;
  for (const Request& request : requests) names.push_back(request.name());
  return static_cast<std::size_t>(
      __mazurka_messages_wait_any(names.data(), static_cast<int>(names.size())));
}
template <typename... Requests, typename = detail::AllRequests<Requests...>>
[[nodiscard]] std::size_t wait_any(const Requests&... requests) {
  return wait_any(std::vector<Request>{static_cast<const Request&>(requests)...});
}

/// Goes on when all of the requests are fulfilled.
inline void wait_all(const std::vector<Request>& requests) {
  for (const Request& request : requests) __mazurka_messages_wait(request.name());
}
template <typename... Requests, typename = detail::AllRequests<Requests...>>
void wait_all(const Requests&... requests) {
  (__mazurka_messages_wait(requests.name()), ...);
}

/// Actors that run until they end; the destructor waits for all of them.
class Actors {
 public:
  Actors() = default;
  Actors(const Actors&) = delete;
  Actors& operator=(const Actors&) = delete;
  ~Actors() {
    for (std::thread& actor : actors_) actor.join();
  }

  template <typename Function, typename... Arguments>
  void start(Function&& function, Arguments&&... arguments) {
    actors_.emplace_back(std::forward<Function>(function), std::forward<Arguments>(arguments)...);
  }

 private:
  std::vector<std::thread> actors_;
};

/// Runs the functions as actors, to their ends.
template <typename... Functions>
void run(Functions&&... functions) {
  Actors actors;
  (actors.start(std::forward<Functions>(functions)), ...);
}

}  // namespace mazurka::messages
