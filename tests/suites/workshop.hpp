// A small library for several threads, as anybody might have one. With PLANTED one of its
// functions has forgotten its lock.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace workshop {

class Account {
 public:
  explicit Account(int balance = 0) : balance_(balance) {}
  void deposit(int amount) {
    const std::lock_guard<std::mutex> guard(mutex_);
    balance_ += amount;
  }
  bool withdraw(int amount) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (balance_ < amount) return false;
    balance_ -= amount;
    return true;
  }
  int balance() const {
#ifndef PLANTED
    const std::lock_guard<std::mutex> guard(mutex_);
#endif
    return balance_;
  }
  friend void transfer(Account& from, Account& to, int amount) {
    const std::scoped_lock both(from.mutex_, to.mutex_);
    from.balance_ -= amount;
    to.balance_ += amount;
  }

 private:
  mutable std::mutex mutex_;
  int balance_;
};

template <typename Value>
class Queue {
 public:
  explicit Queue(std::size_t room = 2) : room_(room) {}
  void push(Value value) {
    std::unique_lock<std::mutex> lock(mutex_);
    not_full_.wait(lock, [this] { return values_.size() < room_; });
    values_.push_back(std::move(value));
    not_empty_.notify_one();
  }
  Value pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    not_empty_.wait(lock, [this] { return !values_.empty(); });
    Value value = std::move(values_.front());
    values_.pop_front();
    not_full_.notify_one();
    return value;
  }
  std::optional<Value> try_pop() {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (values_.empty()) return std::nullopt;
    Value value = std::move(values_.front());
    values_.pop_front();
    return value;
  }
  std::size_t size() const {
    const std::lock_guard<std::mutex> guard(mutex_);
    return values_.size();
  }

 private:
  std::size_t room_;
  mutable std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::deque<Value> values_;
};

/// Everybody may set it, once.
template <typename Value>
class Once {
 public:
  bool set(Value value) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (value_) return false;
    value_ = std::move(value);
    return true;
  }
  std::optional<Value> get() const {
    const std::lock_guard<std::mutex> guard(mutex_);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<Value> value_;
};

class SpinLock {
 public:
  void lock() {
    while (taken_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  bool try_lock() { return !taken_.test_and_set(std::memory_order_acquire); }
  void unlock() { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_ = ATOMIC_FLAG_INIT;
};

class Registry {
 public:
  void add(const std::string& name) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    names_.push_back(name);
  }
  bool knows(const std::string& name) const {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    for (const std::string& known : names_) {
      if (known == name) return true;
    }
    return false;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::vector<std::string> names_;
};

}  // namespace workshop
