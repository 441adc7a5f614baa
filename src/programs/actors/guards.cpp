#include "programs/actors/guards.hpp"

#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "core/check.hpp"

namespace mazurka::actors {

Block::Block(const ValueType& type, const void* from)
    : type_(&type), memory_(::operator new (type.size, std::align_val_t{type.alignment})) {
  type.copy(memory_, from);
}

Block::Block(Block&& other) noexcept
    : type_(std::exchange(other.type_, nullptr)), memory_(std::exchange(other.memory_, nullptr)) {}

Block& Block::operator=(Block&& other) noexcept {
  std::swap(type_, other.type_);
  std::swap(memory_, other.memory_);
  return *this;
}

Block::~Block() {
  if (memory_ == nullptr) return;
  type_->destroy(memory_);
  ::operator delete (memory_, std::align_val_t{type_->alignment});
}

bool GuardTable::LocalState::accepts(std::uint16_t message_class) const {
  if (type_ == nullptr) return false;
  MAZURKA_CHECK(message_class < table_.classes_.size(), "a guard is asked for a class of messages");
  if (verdicts_.size() <= message_class) verdicts_.resize(message_class + std::size_t{1}, -1);
  std::int8_t& verdict = verdicts_[message_class];
  if (verdict < 0) {
    const Class& message = table_.classes_[message_class];
    const bool fits = message.handler->actor == type_;
    const bool open = message.handler->accepts == nullptr ||
                      (fits && message.handler->accepts(state_.get(), message.arguments.get()));
    verdict = fits && open ? 1 : 0;
  }
  return verdict == 1;
}

std::uint16_t GuardTable::class_of(const Handler& handler, const void* arguments) {
  // Without a guard of its own, the handler's type alone decides.
  const bool by_content = handler.accepts != nullptr;
  const std::uint64_t hash = detail::combine(reinterpret_cast<std::uintptr_t>(&handler),
                                             by_content ? handler.arguments.hash(arguments) : 0);
  const auto [first, last] = class_by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    const Class& known = classes_[at->second];
    if (known.handler == &handler &&
        (!by_content || handler.arguments.equal(known.arguments.get(), arguments))) {
      return at->second;
    }
  }
  if (classes_.size() >= std::numeric_limits<std::uint16_t>::max()) {
    throw std::length_error("more than 65534 different messages are guarded");
  }
  const auto number = static_cast<std::uint16_t>(classes_.size());
  classes_.push_back({&handler, Block(handler.arguments, arguments)});
  class_by_hash_.emplace(hash, number);
  return number;
}

const GuardTable::LocalState& GuardTable::state_of(const ActorType& type, const void* state,
                                                   std::uint64_t beside) {
  const std::uint64_t hash = detail::combine(
      detail::combine(reinterpret_cast<std::uintptr_t>(&type), type.value.hash(state)), beside);
  const auto [first, last] = state_by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    const LocalState& known = *at->second;
    if (known.type_ == &type && known.beside_ == beside &&
        type.value.equal(known.state_.get(), state)) {
      return known;
    }
  }
  states_.emplace_back(*this, &type, Block(type.value, state), beside);
  state_by_hash_.emplace(hash, &states_.back());
  return states_.back();
}

}  // namespace mazurka::actors
