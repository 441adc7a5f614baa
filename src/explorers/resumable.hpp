// What techniques that can be saved and resumed have in common.
//
// Their work is done by a search, which exists from when an exploration begins. It is made from the
// session (and settings of the technique), and has explore(), save(archive), load(archive) and
// resume().
// For those that keep backtrack sets of first steps, BacktrackSearch is that search: they only say
// what an execution puts into them.
#pragma once

#include <cstddef>
#include <optional>
#include <tuple>

#include "core/check.hpp"
#include "core/explorer.hpp"
#include "explorers/path.hpp"

namespace mazurka {

template <typename Search, typename... Settings>
class ResumableExplorer : public Explorer {
 public:
  explicit ResumableExplorer(Settings... settings) : settings_(settings...) {}

  bool explore(Session& session) override { return begin(session).explore(); }
  [[nodiscard]] bool resumable() const override { return true; }
  /// Requires: the search has begun.
  void save(ArchiveWriter& archive) const override {
    MAZURKA_CHECK(search_.has_value(), "only a search that has begun can be saved");
    search_->save(archive);
  }
  [[nodiscard]] bool load(Session& session, ArchiveReader& archive) override {
    return begin(session).load(archive);
  }
  [[nodiscard]] bool keep_part(std::size_t part, std::size_t parts) override {
    if constexpr (requires { search_->keep_part(part, parts); }) {
      search_->keep_part(part, parts);
      return true;
    }
    return false;
  }
  [[nodiscard]] Rest rest() const override {
    if constexpr (requires { search_->rest(); }) return search_ ? search_->rest() : Rest{};
    return {};
  }
  bool resume() override {
    MAZURKA_CHECK(search_.has_value(), "only a search that was loaded can be resumed");
    return search_->resume();
  }

 private:
  Search& begin(Session& session) {
    return std::apply(
        [&](const Settings&... settings) -> Search& {
          return search_.emplace(session, settings...);
        },
        settings_);
  }

  std::tuple<Settings...> settings_;
  std::optional<Search> search_;
};

/// Analysis is made from the vocabulary, the path and the backtrack sets. analyse() asks for what
/// the path's execution leaves open; remember() takes in an execution that was analysed before.
template <typename Analysis>
class BacktrackSearch {
 public:
  explicit BacktrackSearch(Session& session)
      : session_(session),
        path_(session, Path::Sleepers::kept_asleep, Analysis::needs_enabled),
        analysis_(session.vocabulary(), path_, backtrack_) {}

  bool explore() {
    while (path_.perform()) {
      analysis_.analyse();
      const std::size_t node = backtrack_.deepest();
      if (node == no_node) return all_explored(session_);
      if (session_.stop()) return false;
      go_on(node);
    }
    return false;
  }

  void save(ArchiveWriter& archive) const {
    path_.save(archive);
    backtrack_.save(archive);
  }
  [[nodiscard]] bool load(ArchiveReader& archive) {
    if (!path_.load(archive)) return false;
    backtrack_.load(archive, path_.execution().size());
    analysis_.remember();
    return true;
  }
  bool resume() {
    go_on(backtrack_.deepest());
    return explore();
  }

 private:
  void go_on(std::size_t node) {
    MAZURKA_CHECK(node < path_.execution().size(), "a decision is open at a node of the path");
    path_.put_to_sleep(node);
    path_.leave(node);
    path_.decide(backtrack_.take(node));
  }

  Session& session_;
  Path path_;
  BacktrackSets backtrack_;
  Analysis analysis_;
};

}  // namespace mazurka
