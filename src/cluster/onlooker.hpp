// What the user is told while others explore: how far they have come, who can not take part, and
// that there is nobody who could.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "cluster/store.hpp"
#include "host/launcher.hpp"

namespace mazurka::cluster {

class Onlooker {
 public:
  /// `how_to_work`: the command that makes a machine a worker. `say`: tells a line.
  Onlooker(std::string how_to_work, std::function<void(const std::string&)> say)
      : how_to_work_(std::move(how_to_work)), say_(std::move(say)) {}

  void see(const View& view, const std::function<void(const host::Progress&)>& on_progress);

 private:
  void show(const View& view, const std::function<void(const host::Progress&)>& on_progress);
  void tell_refusals(const View& view);
  void tell_loneliness(const View& view);

  std::string how_to_work_;
  std::function<void(const std::string&)> say_;
  std::set<std::string> refused_;
  std::optional<std::chrono::steady_clock::time_point> lonely_since_;
  bool told_lonely_ = false;
  std::unique_ptr<host::Progress> shown_ = std::make_unique<host::Progress>();
};

}  // namespace mazurka::cluster
