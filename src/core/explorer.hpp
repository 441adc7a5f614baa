// A technique: reads executions, finds what they leave open, writes the next schedule.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive.hpp"
#include "core/session.hpp"

namespace mazurka {

class Explorer {
 public:
  Explorer() = default;
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;
  virtual ~Explorer() = default;

  /// Explores until everything that the technique promises has been seen or session.stop() says
  /// so. Returns true when everything was seen.
  virtual bool explore(Session& session) = 0;

  /// Whether an exploration can be saved, and another explorer of the same technique go on with it.
  [[nodiscard]] virtual bool resumable() const { return false; }
  /// Writes down where the exploration stands. Only while it asks session.stop().
  virtual void save(ArchiveWriter&) const {}
  /// Like explore(), from where the saved exploration stood. The session has been loaded.
  virtual bool resume(Session& session, ArchiveReader&) { return explore(session); }
};

/// A switch that a technique has.
struct TechniqueOption {
  std::string_view name;
  std::string_view help;  // one line
  bool number = false;    // stands for any number from 1 on; `name` is its placeholder
  bool alone = false;     // cannot be combined with the others
  bool costs = false;     // only changes what the search costs, and not every front-end has it
};

/// The switches that are on: `--technique source-context:cut,guide`.
class TechniqueOptions {
 public:
  TechniqueOptions() = default;
  explicit TechniqueOptions(std::vector<std::string> names) : names_(std::move(names)) {}

  [[nodiscard]] bool has(std::string_view name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }
  [[nodiscard]] std::span<const std::string> names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// How much of a program a technique promises to see.
enum class Coverage : unsigned char { everything, up_to_a_bound, a_sample };

struct Technique {
  std::string_view name;
  std::string_view summary;  // one line, for `mazurka techniques`
  std::unique_ptr<Explorer> (*create)(const TechniqueOptions&) = nullptr;  // null: no Explorer
  std::span<const TechniqueOption> options = {};
  bool needs_states = false;  // only for programs whose states can be compared
  Coverage coverage = Coverage::everything;
  bool takes_preemptions = false;                       // Limits::preemptions means something to it
  bool on_networks = true;                              // networks of automata have what it needs
  std::string_view programs = "every kind of program";  // what it is for
  std::string_view source = "";                         // the paper; empty: common knowledge

  [[nodiscard]] std::unique_ptr<Explorer> make(const TechniqueOptions& chosen = {}) const {
    return create(chosen);
  }
};

}  // namespace mazurka
