// A technique at work: reads executions, finds what they leave open, writes the next schedule.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/archive.hpp"
#include "core/session.hpp"

namespace mazurka {

/// What an explorer with tasks (Technique::divisible) leaves, and has done.
struct Rest {
  std::uint64_t tasks = 0;  // that are left
  double explored = 0;      // estimate: what part of the whole search was performed here
};

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
  /// Reads where a saved exploration stood, after the session. False: the program does not do what
  /// it did then.
  [[nodiscard]] virtual bool load(Session&, ArchiveReader&) { return false; }
  /// Of what was loaded, only this part of so many is to be done here. False: it has no parts.
  [[nodiscard]] virtual bool keep_part(std::size_t /*part*/, std::size_t /*parts*/) {
    return false;
  }
  [[nodiscard]] virtual Rest rest() const { return {}; }
  /// Like explore(), from what was loaded.
  virtual bool resume() { return false; }
};

}  // namespace mazurka
