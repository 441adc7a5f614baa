// Writes down the executions of a search as a certificate (driver/certificate_file.hpp).
//
// What the steps of threads are in the words of certificates: which of their kinds of objects, and
// which action. The values before and after each step, which are recorded for this, must fit. What
// does not fit, or has no words, makes the certificate one that is not covered, with the reason: it
// is never accepted then.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/execution.hpp"
#include "core/session.hpp"
#include "driver/certificate_file.hpp"

namespace mazurka::threads {

class Runtime;

class CertificateScribe {
 public:
  CertificateScribe(Runtime& program, std::string technique);

  /// What was written is void: the search begins anew.
  void begin_anew();
  /// An execution of the search.
  void add(const Session& session, const Execution& execution);
  /// The certificate, of a search that saw everything unless there is a reason why it did not.
  [[nodiscard]] std::string finish(const std::optional<std::string>& incomplete);

 private:
  struct Value {
    std::uint32_t epoch = 0;  // the execution in which `now` is known
    std::uint64_t now = 0;
    bool has_initial = false;
    std::uint64_t initial = 0;
  };
  /// What a step does to one object.
  struct Touch {
    Access access;            // as it was announced
    bool only_reads = false;  // a compare-exchange that failed
    std::uint64_t before = 0;
    std::uint64_t after = 0;
  };

  void begin_execution(const Session& session);
  void write(const Session& session, const Execution& execution);
  certificate::Step words_for(const Execution& execution, std::size_t event);
  certificate::Operation words_for_pending(const Execution& execution, std::size_t at);
  void resume(std::uint32_t condition, Footprint footprint, certificate::Step& words);
  void release(const mazurka::Step& step, certificate::Operation& operation);
  void note_value(const Touch& touch);
  [[nodiscard]] std::optional<std::uint64_t> value_now(const Access& access) const;

  // certificate_actions.cpp
  void add_pending(const Access& access, std::uint64_t value, certificate::Step& words);
  void add(const Touch& touch, certificate::Step& words);
  void add_memory(const Touch& touch, certificate::Step& words);
  void add_mutex(const Touch& touch, certificate::Step& words);
  void add_gate(const Touch& touch, certificate::Step& words);
  void add_semaphore(const Touch& touch, certificate::Step& words);
  void add_read_write_lock(const Touch& touch, certificate::Step& words);
  void add_condition(const Touch& touch, certificate::Step& words);
  void add_latch(const Touch& touch, certificate::Step& words);
  void add_barrier(const Touch& touch, certificate::Step& words);
  [[nodiscard]] std::uint64_t initial(const Access& access) const {
    return values_[index(access.object)].initial;
  }
  /// The object of the certificate. `part`: of those that one object of the program stands for.
  [[nodiscard]] std::uint32_t object(const Access& access, certificate::Kind kind,
                                     std::uint64_t initial, std::uint32_t part = 0);
  void not_covered(const std::string& what) {
    if (!not_covered_) not_covered_ = what;
  }

  Runtime& runtime_;
  std::string technique_;
  certificate::Writer writer_;
  std::optional<std::string> not_covered_;
  std::unordered_map<std::uint64_t, std::uint32_t> objects_;  // by number and part
  std::vector<certificate::Kind> kinds_;                      // of the certificate's objects
  std::vector<Value> values_;                                 // by object
  std::vector<std::uint32_t> waits_at_;  // per process: the condition it waits at
  std::vector<bool> born_;               // per process
  std::uint32_t epoch_ = 0;
};

}  // namespace mazurka::threads
