// What is explored, as far as front-ends differ in more than the program.
#pragma once

#include <type_traits>

#include "core/program.hpp"
#include "core/session.hpp"

namespace mazurka {

class Subject {
 public:
  explicit Subject(Program& program) : program_(program) {}
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  [[nodiscard]] Program& program() const { return program_; }

  /// After every execution of the search.
  virtual void performed(const Session&, const Execution&) {}
  /// Something was learnt that changes the steps: what was explored so far is void.
  [[nodiscard]] virtual bool must_restart() const { return false; }
  /// From here on everything is performed anew, with what was learnt.
  virtual void restarted() {}
  /// What is performed beside the search is to teach it nothing: it would begin anew for something
  /// that it may never meet. What was learnt since the one is forgotten with the other.
  virtual void keep_knowledge() {}
  virtual void put_back_knowledge() {}
  /// It can not go on, and the front-end says why.
  [[nodiscard]] virtual bool failed() const { return false; }

 private:
  Program& program_;
};

/// Performs something, and once more while it teaches what changes the steps.
template <typename Perform>
auto perform_for_good(Subject& subject, Perform&& perform) {
  while (true) {
    if constexpr (std::is_void_v<decltype(perform())>) {
      perform();
      if (!subject.must_restart()) return;
    } else {
      auto result = perform();
      if (!subject.must_restart()) return result;
    }
    subject.restarted();
  }
}

}  // namespace mazurka
