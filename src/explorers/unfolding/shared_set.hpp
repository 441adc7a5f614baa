// A set of events, of which there are many that are nearly alike.
//
// The history of an event is that of its causes and a little more. So sets share what they have in
// common, in pieces that are copied when one of them changes: a set takes as much time and memory
// as it differs from others, not as much as it has members. The first events are in a set of their
// own: as long as there are no more, nothing is shared, and nothing is slower.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "explorers/unfolding/event_set.hpp"

namespace mazurka::unfolding {

class SharedSet {
 public:
  [[nodiscard]] bool contains(EventId event) const {
    if (event < first_shared) return first_.contains(event);
    const std::size_t at = piece_of(event);
    return at < pieces_.size() && pieces_[at] != nullptr &&
           mazurka::contains(pieces_[at]->data(), bit_in_piece(event));
  }
  void insert(EventId event) {
    if (event < first_shared) {
      first_.insert(event);
      return;
    }
    if (!contains(event)) mazurka::insert(own_piece(piece_of(event)).data(), bit_in_piece(event));
  }
  void clear() {
    first_.clear();
    pieces_.clear();
  }

  SharedSet& operator|=(const SharedSet& other) {
    first_ |= other.first_;
    if (pieces_.size() < other.pieces_.size()) pieces_.resize(other.pieces_.size());
    for (std::size_t at = 0; at < other.pieces_.size(); ++at) {
      const std::shared_ptr<Piece>& more = other.pieces_[at];
      if (more == nullptr || more == pieces_[at]) continue;
      if (pieces_[at] == nullptr || subset(pieces_[at]->data(), more->data(), piece_words)) {
        pieces_[at] = more;
      } else if (!subset(more->data(), pieces_[at]->data(), piece_words)) {
        unite(own_piece(at).data(), more->data(), piece_words);
      }
    }
    return *this;
  }
  SharedSet& operator&=(const EventSet& other) {
    first_ &= other;
    for (std::size_t at = 0; at < pieces_.size(); ++at) {
      for_each_in_piece(at, [&](EventId event) {
        if (!other.contains(event))
          own_piece(at)[bit_in_piece(event) / word_bits] &= ~bit_of(event);
      });
    }
    return *this;
  }

  [[nodiscard]] bool meets(const EventSet& other) const {
    if (first_.meets(other)) return true;
    return !pieces_.empty() && other.first_that([&](EventId event) {
      return event >= first_shared && contains(event);
    }) != no_event_id;
  }

  void add_to(EventSet& other) const {
    other |= first_;
    for (std::size_t at = 0; at < pieces_.size(); ++at) {
      for_each_in_piece(at, [&](EventId event) { other.insert(event); });
    }
  }
  /// Those that are in none of the others. What `visit` adds to these may be left out, or not.
  template <typename Visit>
  void for_each_without(const SharedSet& one, const EventSet& other, Visit&& visit) const {
    if (first_.first_without(one.first_, other) != no_event_id) {
      EventSet left = first_;
      left -= one.first_;
      left -= other;
      left.for_each(visit);
    }
    for (std::size_t at = 0; at < pieces_.size(); ++at) {
      if (pieces_[at] == nullptr) continue;
      const bool is_there = at < one.pieces_.size() && one.pieces_[at] != nullptr;
      for (std::size_t word = 0; word < piece_words; ++word) {
        const Word without = is_there ? (*one.pieces_[at])[word] : 0;
        for_each_bit((*pieces_[at])[word] & ~without, [&](std::size_t bit) {
          const EventId event = event_at(at, word * word_bits + bit);
          if (!other.contains(event)) visit(event);
        });
      }
    }
  }

 private:
  static constexpr std::size_t first_shared = 1024;  // the number of the first event of a piece
  static constexpr std::size_t piece_words = 32;
  static constexpr std::size_t piece_bits = piece_words * word_bits;
  using Piece = std::array<Word, piece_words>;

  [[nodiscard]] static std::size_t piece_of(EventId event) {
    return (event - first_shared) / piece_bits;
  }
  [[nodiscard]] static std::size_t bit_in_piece(EventId event) {
    return (event - first_shared) % piece_bits;
  }
  [[nodiscard]] static EventId event_at(std::size_t piece, std::size_t bit) {
    return static_cast<EventId>(first_shared + piece * piece_bits + bit);
  }
  /// The piece, to be changed: nobody else has it.
  Piece& own_piece(std::size_t at) {
    if (pieces_.size() <= at) pieces_.resize(at + 1);
    std::shared_ptr<Piece>& piece = pieces_[at];
    if (piece == nullptr) {
      piece = std::make_shared<Piece>();
    } else if (piece.use_count() > 1) {
      piece = std::make_shared<Piece>(*piece);
    }
    return *piece;
  }
  template <typename Visit>
  void for_each_in_piece(std::size_t at, const Visit& visit) const {
    if (const std::shared_ptr<Piece> piece = pieces_[at]) {  // it may be changed meanwhile
      for_each_bit(piece->data(), piece_words, [&](std::size_t bit) { visit(event_at(at, bit)); });
    }
  }

  EventSet first_;
  std::vector<std::shared_ptr<Piece>> pieces_;
};

}  // namespace mazurka::unfolding
