// Counter-examples of a translation, confirmed by the model itself.
#include <algorithm>

#include "core/check.hpp"
#include "programs/promela/translation.hpp"

namespace mazurka::promela {

namespace {

bool same_steps(const std::vector<Taken>& one, const std::vector<Taken>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const Taken& left, const Taken& right) {
                      return left.process == right.process && left.statement == right.statement;
                    });
}

class Replayer {
 public:
  Replayer(const Model& model, const Translation& translation)
      : model_(model),
        translation_(translation),
        state_(translation.start),
        machine_(model, {[this](const Configuration& state, const std::vector<Taken>& trail) {
                           reached(state, trail);
                         },
                         [this](const std::string& what, const Place& place,
                                const std::vector<Taken>& trail) { failed(what, place, trail); }}) {
    machine_.keep_values(true);
  }

  Problem run(const std::vector<ActionId>& actions, Problem::Kind kind) {
    problem_.kind = kind;
    problem_.path = translation_.before;
    for (const ActionId action : actions) {
      MAZURKA_CHECK(action < translation_.trails.size(), "a path is one of the network translated");
      wanted_ = &translation_.trails[action];
      if (take_one()) return problem_;
    }
    if (kind == Problem::Kind::assertion) fail();
    let_processes_end();
    if (machine_.may_end(state_)) fail();
    problem_.last = state_;
    return problem_;
  }

 private:
  [[noreturn]] static void fail() {
    throw NetworkError("a counter-example can not be repeated: a defect of Mazurka");
  }

  /// Whether it was the one that fails.
  bool take_one() {
    found_ = false;
    has_failed_ = false;
    machine_.expand(state_);
    if (has_failed_ && problem_.kind == Problem::Kind::assertion) return true;
    if (!found_) fail();
    state_ = next_;
    problem_.path.insert(problem_.path.end(), wanted_->begin(), wanted_->end());
    return false;
  }

  void reached(const Configuration& state, const std::vector<Taken>& trail) {
    if (wanted_ == nullptr) {
      ends_ = model_.statements[trail.front().statement].act == Act::end;
      next_ = state;
    } else if (!found_ && same_steps(trail, *wanted_)) {
      found_ = true;
      next_ = state;
    }
  }

  void failed(const std::string& what, const Place& place, const std::vector<Taken>& trail) {
    if (has_failed_ || wanted_ == nullptr || trail.size() > wanted_->size() ||
        !same_steps(trail, {wanted_->begin(), wanted_->begin() + std::ptrdiff_t(trail.size())}) ||
        problem_.kind != Problem::Kind::assertion) {
      return;
    }
    has_failed_ = true;
    problem_.message = what;
    problem_.place = place;
    problem_.path.insert(problem_.path.end(), trail.begin(), trail.end());
  }

  /// What the translation leaves out: that processes disappear.
  void let_processes_end() {
    wanted_ = nullptr;
    while (machine_.expand(state_)) {
      if (!ends_) fail();
      state_ = next_;
    }
  }

  const Model& model_;
  const Translation& translation_;
  Configuration state_;
  Machine machine_;
  Problem problem_;
  const std::vector<Taken>* wanted_ = nullptr;
  bool found_ = false;
  bool has_failed_ = false;
  bool ends_ = false;
  Configuration next_;
};

}  // namespace

Problem replay(const Model& model, const Translation& translation,
               const std::vector<ActionId>& actions, Problem::Kind kind) {
  return Replayer(model, translation).run(actions, kind);
}

}  // namespace mazurka::promela
