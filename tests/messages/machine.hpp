// Runs a model one step at a time on the semantics that is shipped (programs/messages).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "messages/model.hpp"
#include "programs/messages/exchange.hpp"
#include "programs/messages/independence.hpp"

namespace mazurka::messages {

[[nodiscard]] const Vocabulary& model_vocabulary();

class Machine {
 public:
  explicit Machine(const Model& model) : model_(&model) { start(); }

  void start();
  [[nodiscard]] std::size_t actors() const { return model_->actors.size(); }
  [[nodiscard]] bool running(std::size_t actor) const;
  [[nodiscard]] bool failed(std::size_t actor) const { return states_[actor].failed; }
  [[nodiscard]] std::size_t position(std::size_t actor) const { return states_[actor].position; }
  [[nodiscard]] const ModelStep& next(std::size_t actor) const {
    return model_->actors[actor][states_[actor].position];
  }

  // All about the actor's next step.
  [[nodiscard]] bool enabled(std::size_t actor) const;
  [[nodiscard]] std::uint16_t choices(std::size_t actor) const;
  void footprint(std::size_t actor, std::vector<Access>& out) const;
  /// The request that it waits for, if it does.
  [[nodiscard]] const Ticket* waited(std::size_t actor) const;
  /// Without which event it could not be taken; no_event: none. Only where it is enabled.
  [[nodiscard]] std::uint32_t cause(std::size_t actor) const;
  /// Whether it would fulfil what the other actor waits for.
  [[nodiscard]] bool fulfils(std::size_t actor, std::size_t other) const;

  void perform(std::size_t actor, std::uint16_t choice, std::uint32_t event);

  /// The actor waits for what it picked, and might have picked better.
  [[nodiscard]] bool waits_by_choice(std::size_t actor) const;
  /// The actors' part of the state, and all of it.
  [[nodiscard]] std::string actors_text() const;
  [[nodiscard]] std::string text() const;
  /// Of the same model, and performed with the same numbers of events.
  [[nodiscard]] bool same_state(const Machine& other) const {
    return states_ == other.states_ && exchange_ == other.exchange_;
  }

 private:
  static constexpr std::uint8_t nothing = 0xff;
  struct ActorState {
    std::uint8_t position = 0;
    std::uint8_t value = 0;         // r
    std::uint8_t picked = nothing;  // a request
    std::uint8_t picked_from = 0;
    bool failed = false;
    std::array<std::optional<Ticket>, most_requests> tickets;
    friend bool operator==(const ActorState&, const ActorState&) = default;
  };

  [[nodiscard]] std::vector<std::uint8_t> fulfilled_requests(std::size_t actor,
                                                             std::uint8_t among) const;
  [[nodiscard]] std::vector<std::uint8_t> made_requests(std::size_t actor,
                                                        std::uint8_t among) const;
  void make_request(std::size_t actor, const ModelStep& step, std::uint32_t event);

  const Model* model_;
  std::vector<ActorState> states_;
  Exchange exchange_;
};

}  // namespace mazurka::messages
