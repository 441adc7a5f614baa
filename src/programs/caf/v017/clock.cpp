#include "programs/caf/v017/clock.hpp"

#include <algorithm>

#include "programs/caf/v017/world.hpp"

namespace mazurka::caf::v017 {

void Clock::start(Timeouts timeouts, Knowledge& knowledge) {
  timeouts_ = timeouts;
  knowledge_ = &knowledge;
  timers_.clear();
  now_ = time_point{std::chrono::seconds(1)};
  step_ = set_in_step_ = 0;
}

void Clock::add(Timer timer) {
  World* const world = active_world();
  if (world == nullptr || timeouts_ == Timeouts::never) return;
  if (timeouts_ == Timeouts::any) {
    ship(timer);
    return;
  }
  constexpr unsigned most = 32;
  const std::uint64_t step = world->step_name();
  if (step != step_) set_in_step_ = 0;
  step_ = step;
  timer.name = step << most | set_in_step_++;
  timer.known = knowledge_->copy();
  timers_.push_back(std::move(timer));
}

void Clock::set_ordinary_timeout(time_point at, ::caf::abstract_actor* self, ::caf::atom_value type,
                                 std::uint64_t id) {
  cancel_ordinary_timeout(self, type);
  add({at, 0, Kind::receive, ::caf::strong_actor_ptr(self->ctrl()), type, id, nullptr});
}

void Clock::set_multi_timeout(time_point at, ::caf::abstract_actor* self, ::caf::atom_value type,
                              std::uint64_t id) {
  add({at, 0, Kind::multi, ::caf::strong_actor_ptr(self->ctrl()), type, id, nullptr});
}

void Clock::set_request_timeout(time_point at, ::caf::abstract_actor* self, ::caf::message_id id) {
  add({at, 0, Kind::request, ::caf::strong_actor_ptr(self->ctrl()), ::caf::atom("request"),
       id.integer_value(), nullptr});
}

void Clock::cancel_ordinary_timeout(::caf::abstract_actor* self, ::caf::atom_value type) {
  std::erase_if(timers_, [&](const Timer& timer) {
    return timer.kind == Kind::receive && timer.type == type && timer.receiver->id() == self->id();
  });
}

void Clock::cancel_request_timeout(::caf::abstract_actor* self, ::caf::message_id id) {
  std::erase_if(timers_, [&](const Timer& timer) {
    return timer.kind == Kind::request && timer.id == id.integer_value() &&
           timer.receiver->id() == self->id();
  });
}

void Clock::cancel_timeouts(::caf::abstract_actor* self) {
  std::erase_if(timers_, [&](const Timer& timer) {
    return timer.kind != Kind::message && timer.receiver->id() == self->id();
  });
}

void Clock::schedule_message(time_point at, ::caf::strong_actor_ptr receiver,
                             ::caf::mailbox_element_ptr content) {
  if (receiver == nullptr) return;
  add({at, 0, Kind::message, std::move(receiver), ::caf::atom("message"), 0, std::move(content)});
}

void Clock::schedule_message(time_point, ::caf::group, ::caf::strong_actor_ptr, ::caf::message) {
  if (World* const world = active_world()) world->refuse("it sends to a group");
}

void Clock::ship(Timer& timer) {
  const World::Unordered unordered(*active_world());
  ::caf::abstract_actor* const receiver = timer.receiver->get();
  switch (timer.kind) {
    case Kind::receive:
    case Kind::multi:
      receiver->eq_impl(::caf::make_message_id(), timer.receiver, nullptr,
                        ::caf::timeout_msg{timer.type, timer.id});
      break;
    case Kind::request:
      receiver->eq_impl(::caf::message_id(timer.id), timer.receiver, nullptr,
                        ::caf::make_error(::caf::sec::request_timeout));
      break;
    case Kind::message: receiver->enqueue(std::move(timer.content), nullptr); break;
  }
}

void Clock::pass() {
  const auto earliest =
      std::min_element(timers_.begin(), timers_.end(),
                       [](const Timer& one, const Timer& other) { return one.at < other.at; });
  if (earliest == timers_.end()) return;
  now_ = std::max(now_, earliest->at);
  std::vector<Timer> due;
  for (Timer& timer : timers_) {
    if (timer.at <= now_) due.push_back(std::move(timer));
  }
  std::erase_if(timers_, [](const Timer& timer) { return timer.receiver == nullptr; });
  std::sort(due.begin(), due.end(),
            [](const Timer& one, const Timer& other) { return one.name < other.name; });
  for (Timer& timer : due) {
    const Knowledge::SentEarlier when_set(*knowledge_, timer.known);
    ship(timer);
  }
}

}  // namespace mazurka::caf::v017
