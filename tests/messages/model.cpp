#include "messages/model.hpp"

#include <array>
#include <random>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace mazurka::messages {

namespace {

constexpr std::array<std::pair<Op, char>, 16> letters{{{Op::local, 'L'},
                                                       {Op::send, 'S'},
                                                       {Op::receive, 'R'},
                                                       {Op::acquire, 'A'},
                                                       {Op::post, 'P'},
                                                       {Op::lock, 'M'},
                                                       {Op::unlock, 'U'},
                                                       {Op::arrive, 'B'},
                                                       {Op::enqueue, 'E'},
                                                       {Op::signal, 'N'},
                                                       {Op::broadcast, 'V'},
                                                       {Op::test, 'T'},
                                                       {Op::pick, 'C'},
                                                       {Op::wait, 'W'},
                                                       {Op::skip_if, 'I'},
                                                       {Op::check, 'K'}}};

bool names_requests(Op op) { return op == Op::test || op == Op::pick || op == Op::wait; }

std::size_t requests_before(const Actor& actor, std::size_t position) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < position; ++at) {
    if (makes_request(actor[at].op)) ++count;
  }
  return count;
}

ModelStep parse_step(const Actor& actor, const std::string& word) {
  ModelStep step;
  bool known = false;
  for (const auto& [op, letter] : letters) {
    if (letter != word[0]) continue;
    step.op = op;
    known = true;
  }
  if (!known) throw std::invalid_argument("no step begins like " + word);
  std::string rest = word.substr(1);
  if (const std::size_t slash = rest.find('/'); slash != std::string::npos) {
    step.skip = static_cast<std::uint8_t>(std::stoi(rest.substr(slash + 1)));
    rest.resize(slash);
  }
  if (names_requests(step.op)) {
    if (rest.empty()) {
      step.requests = static_cast<std::uint8_t>(1U << (requests_before(actor, actor.size()) - 1));
    } else if (rest != "*") {
      std::istringstream numbers(rest);
      for (std::string number; std::getline(numbers, number, '+');) {
        step.requests |= static_cast<std::uint8_t>(1U << (std::stoi(number) - 1));
      }
    }
  } else if (!rest.empty()) {
    step.x = static_cast<std::uint8_t>(std::stoi(rest));
  }
  if (step.op == Op::unlock) {
    step.x = rest.empty() ? static_cast<std::uint8_t>(requests_before(actor, actor.size()) - 1)
                          : static_cast<std::uint8_t>(step.x - 1);
  }
  return step;
}

std::string to_string(const ModelStep& step) {
  std::string text;
  for (const auto& [op, letter] : letters) {
    if (op == step.op) text = letter;
  }
  if (names_requests(step.op)) {
    if (step.requests == 0) text += '*';
    const char* separator = "";
    for (unsigned request = 0; request < most_requests; ++request) {
      if ((step.requests >> request & 1U) == 0) continue;
      text += separator + std::to_string(request + 1);
      separator = "+";
    }
  } else if (step.op == Op::unlock) {
    text += std::to_string(step.x + 1);
  } else if (step.op != Op::local) {
    text += std::to_string(step.x);
  }
  if (step.skip != 0) text += '/' + std::to_string(step.skip);
  return text;
}

class Generator {
 public:
  Generator(std::uint64_t seed, const Features& features) : random_(seed), features_(features) {}

  Model generate() {
    Model model;
    const std::size_t actors = 2 + below(3);
    const std::size_t steps = 5 + below(actors == 2 ? 7 : 6);
    model.actors.resize(actors);
    for (std::size_t made = 0; made < steps; ++made) {
      add_step(model.actors[below(actors)]);
    }
    std::erase_if(model.actors, [](const Actor& actor) { return actor.empty(); });
    return model;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  std::uint8_t some_request(std::size_t made) { return static_cast<std::uint8_t>(below(made)); }

  void add_step(Actor& actor) {
    const std::size_t made = requests_before(actor, actor.size());
    const bool full = made + 1 >= most_requests;
    const auto object = static_cast<std::uint8_t>(below(2));
    const std::size_t kind = below(12);
    if (made > 0 && kind < 3) {
      actor.push_back({Op::wait, 0, static_cast<std::uint8_t>(1U << some_request(made)), 0});
      return;
    }
    if (made > 0 && features_.tests && kind == 3) {
      auto requests = static_cast<std::uint8_t>(1U << some_request(made));
      requests |= static_cast<std::uint8_t>(1U << some_request(made));
      actor.push_back({Op::test, 0, requests, static_cast<std::uint8_t>(below(3))});
      return;
    }
    if (made > 1 && features_.picks && kind == 4) {
      auto requests = static_cast<std::uint8_t>(1U << some_request(made));
      requests |= static_cast<std::uint8_t>(1U << some_request(made));
      actor.push_back({Op::pick, 0, requests, 0});
      actor.push_back({Op::wait, 0, 0, 0});
      return;
    }
    if (features_.data && kind == 5) {
      const auto compared = static_cast<std::uint8_t>(1 + below(3));
      if (below(2) == 0) {
        actor.push_back({Op::check, compared, 0, 0});
      } else {
        actor.push_back({Op::skip_if, compared, 0, static_cast<std::uint8_t>(1 + below(2))});
      }
      return;
    }
    if (features_.mutexes && kind >= 6 && kind < 9 && !full) {
      add_mutex_step(actor, made, object);
      return;
    }
    if (features_.others && kind >= 9 && !full) {
      constexpr std::array<Op, 6> ops{Op::acquire, Op::post,   Op::arrive,
                                      Op::enqueue, Op::signal, Op::broadcast};
      actor.push_back({ops[below(ops.size())], 0, 0, 0});
      return;
    }
    if (full || below(20) == 0) {
      actor.push_back({Op::local});
      return;
    }
    actor.push_back({below(2) == 0 ? Op::send : Op::receive, object, 0, 0});
  }

  void add_mutex_step(Actor& actor, std::size_t made, std::uint8_t object) {
    for (std::size_t request = made; request-- > 0;) {
      if (request_step(actor, request).op == Op::lock && below(2) == 0) {
        actor.push_back({Op::unlock, static_cast<std::uint8_t>(request), 0, 0});
        return;
      }
    }
    actor.push_back({Op::lock, object, 0, 0});
    if (below(2) == 0) {
      actor.push_back({Op::wait, 0, static_cast<std::uint8_t>(1U << made), 0});
    }
  }

  std::mt19937_64 random_;
  const Features& features_;
};

// The actor without the step; tests and waits forget its request, later ones are renumbered.
Actor without_step(const Actor& actor, std::size_t removed) {
  Actor smaller;
  const bool request = makes_request(actor[removed].op);
  const std::size_t number = requests_before(actor, removed);
  for (std::size_t at = 0; at < actor.size(); ++at) {
    if (at == removed) continue;
    ModelStep step = actor[at];
    if (request && step.op == Op::unlock) {
      if (step.x == number) continue;
      if (step.x > number) --step.x;
    }
    if (request && names_requests(step.op) && step.requests != 0) {
      const unsigned low = step.requests & ((1U << number) - 1U);
      const unsigned high = static_cast<unsigned>(step.requests) >> (number + 1);
      step.requests = static_cast<std::uint8_t>(low | high << number);
      if (step.requests == 0) continue;
    }
    smaller.push_back(step);
  }
  return smaller;
}

}  // namespace

bool makes_request(Op op) {
  switch (op) {
    case Op::send:
    case Op::receive:
    case Op::acquire:
    case Op::lock:
    case Op::arrive:
    case Op::enqueue: return true;
    default: return false;
  }
}

const ModelStep& request_step(const Actor& actor, std::size_t request) {
  std::size_t number = 0;
  for (const ModelStep& step : actor) {
    if (!makes_request(step.op)) continue;
    if (number++ == request) return step;
  }
  throw std::out_of_range("the actor makes no such request");
}

std::size_t request_number(const Actor& actor, std::size_t position) {
  return requests_before(actor, position);
}

Model parse(const std::string& text) {
  Model model;
  model.actors.emplace_back();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "|") {
      model.actors.emplace_back();
    } else {
      model.actors.back().push_back(parse_step(model.actors.back(), word));
    }
  }
  return model;
}

std::string to_string(const Model& model) {
  std::string text;
  for (const Actor& actor : model.actors) {
    if (&actor != model.actors.data()) text += " | ";
    const char* separator = "";
    for (const ModelStep& step : actor) {
      text += separator + to_string(step);
      separator = " ";
    }
  }
  return text;
}

const std::vector<Features>& feature_sets() {
  static const std::vector<Features> sets{{.name = "waits", .data = true},
                                          {.name = "tests", .tests = true, .data = true},
                                          {.name = "picks", .picks = true, .data = true},
                                          {.name = "mutexes", .tests = true, .mutexes = true},
                                          {.name = "others", .tests = true, .others = true},
                                          {.name = "everything",
                                           .tests = true,
                                           .picks = true,
                                           .mutexes = true,
                                           .others = true,
                                           .data = true}};
  return sets;
}

Model random_model(std::uint64_t seed, const Features& features) {
  return Generator(seed, features).generate();
}

Model shrink(Model model, const std::function<bool(const Model&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t actor = 0; actor < model.actors.size() && !smaller; ++actor) {
      Model candidate = model;
      candidate.actors.erase(candidate.actors.begin() + static_cast<std::ptrdiff_t>(actor));
      if (candidate.actors.empty() || !fails(candidate)) continue;
      model = std::move(candidate);
      smaller = true;
    }
    for (std::size_t actor = 0; actor < model.actors.size() && !smaller; ++actor) {
      for (std::size_t at = 0; at < model.actors[actor].size() && !smaller; ++at) {
        Model candidate = model;
        candidate.actors[actor] = without_step(model.actors[actor], at);
        if (candidate.actors[actor].empty() || !fails(candidate)) continue;
        model = std::move(candidate);
        smaller = true;
      }
    }
  }
  return model;
}

}  // namespace mazurka::messages
