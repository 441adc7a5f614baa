#include <utility>

#include "programs/promela/assembly.hpp"

namespace mazurka::promela {

namespace {

constexpr std::size_t longest_prelude = 10'000;  // steps

/// The only way the model can begin, while init is alone: it starts the others.
class Prelude {
 public:
  explicit Prelude(const Model& model)
      : machine_(model, {[this](const Configuration& state, const std::vector<Taken>& trail) {
                           ++successors_;
                           next_ = state;
                           trail_ = trail;
                         },
                         [this](const std::string&, const Place&, const std::vector<Taken>&) {
                           ++successors_;
                           ++successors_;
                         }}) {}

  void play(Translation& translation) {
    machine_.keep_values(true);
    translation.start = machine_.initial();
    for (std::size_t steps = 0; translation.start.processes.size() == 1; ++steps) {
      successors_ = 0;
      if (!machine_.expand(translation.start) || successors_ != 1 || steps > longest_prelude ||
          next_.processes.empty()) {
        return;
      }
      translation.start = next_;
      translation.before.insert(translation.before.end(), trail_.begin(), trail_.end());
    }
  }

 private:
  Machine machine_;
  std::size_t successors_ = 0;
  Configuration next_;
  std::vector<Taken> trail_;
};

}  // namespace

void play_prelude(const Model& model, Translation& translation) {
  Prelude(model).play(translation);
}

}  // namespace mazurka::promela
