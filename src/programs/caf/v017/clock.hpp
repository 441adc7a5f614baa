// Time as the explorer lets it pass: it stands still while there are messages.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "caf/all.hpp"
#include "programs/caf/knowledge.hpp"
#include "programs/caf/rules.hpp"

namespace mazurka::caf::v017 {

class Clock final : public ::caf::actor_clock {
 public:
  [[nodiscard]] time_point now() const noexcept override { return now_; }
  [[nodiscard]] duration_type difference(::caf::atom_value, long, time_point,
                                         time_point) const noexcept override {
    return duration_type{1};
  }
  void set_ordinary_timeout(time_point at, ::caf::abstract_actor* self, ::caf::atom_value type,
                            std::uint64_t id) override;
  void set_multi_timeout(time_point at, ::caf::abstract_actor* self, ::caf::atom_value type,
                         std::uint64_t id) override;
  void set_request_timeout(time_point at, ::caf::abstract_actor* self,
                           ::caf::message_id id) override;
  void cancel_ordinary_timeout(::caf::abstract_actor* self, ::caf::atom_value type) override;
  void cancel_request_timeout(::caf::abstract_actor* self, ::caf::message_id id) override;
  void cancel_timeouts(::caf::abstract_actor* self) override;
  void schedule_message(time_point at, ::caf::strong_actor_ptr receiver,
                        ::caf::mailbox_element_ptr content) override;
  void schedule_message(time_point at, ::caf::group target, ::caf::strong_actor_ptr sender,
                        ::caf::message content) override;
  void cancel_all() override { timers_.clear(); }

  void start(Timeouts timeouts, Knowledge& knowledge);
  [[nodiscard]] bool has_timers() const { return !timers_.empty(); }
  /// The earliest are due; those of one moment all at once, in an order that does not depend on who
  /// was faster to set them.
  void pass();

 private:
  enum class Kind : std::uint8_t { receive, multi, request, message };
  struct Timer {
    time_point at;
    std::uint64_t name;  // the step that set it, and which of its timers it is
    Kind kind;
    ::caf::strong_actor_ptr receiver;
    ::caf::atom_value type;
    std::uint64_t id;
    ::caf::mailbox_element_ptr content;
    Knowledge::Clock known{};  // when it was set
  };
  void add(Timer timer);
  void ship(Timer& timer);

  time_point now_{std::chrono::seconds(1)};
  Timeouts timeouts_ = Timeouts::idle;
  Knowledge* knowledge_ = nullptr;
  std::vector<Timer> timers_;
  std::uint64_t step_ = 0;
  std::uint64_t set_in_step_ = 0;
};

}  // namespace mazurka::caf::v017
