// Two stacks for several threads. In one of them looking and taking are two steps.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

class Stack {
 public:
  void push(int value) {
    const std::lock_guard<std::mutex> guard(mutex_);
    values_.push_back(value);
  }
  std::optional<int> pop() {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (values_.empty()) return std::nullopt;
    const int value = values_.back();
    values_.pop_back();
    return value;
  }

 protected:
  std::mutex mutex_;
  std::vector<int> values_;
};

class BrokenStack : public Stack {
 public:
  std::optional<int> pop() {
    if (empty()) return std::nullopt;
    const std::lock_guard<std::mutex> guard(mutex_);
    const int value = values_.at(values_.size() - 1);  // throws if somebody was faster
    values_.pop_back();
    return value;
  }

 private:
  bool empty() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return values_.empty();
  }
};
