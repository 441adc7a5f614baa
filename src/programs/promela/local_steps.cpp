#include "programs/promela/local_steps.hpp"

#include <algorithm>

namespace mazurka::promela {

LocalSteps::LocalSteps(const Model& model) : model_(model) {
  const bool matters = partners_matter();
  for (const Proctype& type : model.proctypes) {
    std::vector<bool>& only = only_.emplace_back();
    for (const Location& location : type.locations) {
      only.push_back(
          type.provided == none && location.d_step == none && !location.transitions.empty() &&
          std::all_of(location.transitions.begin(), location.transitions.end(),
                      [&](const Transition& transition) {
                        return !transition.atomic &&
                               is_local(model.statements[transition.statement]) &&
                               !(matters && communicates(type.locations[transition.target]));
                      }));
    }
  }
}

bool LocalSteps::is_local(ExpressionId number) const {
  if (number == none) return true;
  const Expression& expression = model_.expressions[number];
  switch (expression.kind) {
    case Operator::process_count:
    case Operator::timeout:
    case Operator::length:
    case Operator::full:
    case Operator::empty:
    case Operator::not_full:
    case Operator::not_empty:
    case Operator::poll: return false;
    case Operator::variable: return is_local_reference(static_cast<ReferenceId>(expression.value));
    default:
      return is_local(expression.first) && is_local(expression.second) &&
             is_local(expression.third);
  }
}

bool LocalSteps::is_local_reference(ReferenceId number) const {
  if (number == none) return true;
  const Reference& reference = model_.references[number];
  return reference.local &&
         std::all_of(reference.indices.begin(), reference.indices.end(),
                     [&](const Reference::Index& index) { return is_local(index.at); });
}

bool LocalSteps::is_local(const Statement& statement) const {
  switch (statement.act) {
    case Act::condition:
    case Act::assertion: return is_local(statement.expression);
    case Act::assign: return is_local(statement.expression) && is_local_reference(statement.target);
    case Act::skip:
    case Act::otherwise: return true;
    default: return false;
  }
}

/// Whether what is possible elsewhere may depend on who could take part in a rendezvous.
bool LocalSteps::partners_matter() const {
  if (std::none_of(model_.channel_types.begin(), model_.channel_types.end(),
                   [](const ChannelType& type) { return type.capacity == 0; })) {
    return false;
  }
  for (const Proctype& type : model_.proctypes) {
    for (const Location& location : type.locations) {
      for (const Transition& transition : location.transitions) {
        const bool is_else = model_.statements[transition.statement].act == Act::otherwise;
        if (is_else && communicates(location)) return true;
        if (transition.atomic && communicates(type.locations[transition.target])) return true;
      }
    }
  }
  return false;
}

bool LocalSteps::communicates(const Location& location) const {
  return std::any_of(location.transitions.begin(), location.transitions.end(),
                     [&](const Transition& transition) {
                       const Act act = model_.statements[transition.statement].act;
                       return act == Act::send || act == Act::receive;
                     });
}

}  // namespace mazurka::promela
