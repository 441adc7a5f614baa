#include "programs/threads/host/order_knobs.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

namespace mazurka::threads {

namespace {

/// A function of the library that does nothing but the operation that its caller names.
bool is_atomic_library(const Frame& frame) {
  const std::string file = std::filesystem::path(frame.source).filename().string();
  return file == "atomic" || file == "atomic_base.h" || file == "stdatomic.h" ||
         frame.source.find("/__atomic/") != std::string::npos;
}

struct SourcePlace {
  Frame frame;
  std::size_t depth = 0;  // so many return addresses tell it from others
};

/// The program's own code that names the order.
std::optional<SourcePlace> source_place_of(const Symbols& symbols,
                                           const std::vector<std::uint64_t>& stack) {
  for (std::size_t depth = 0; depth < stack.size(); ++depth) {
    for (const Frame& frame : symbols.all_frames(std::span(stack).subspan(depth, 1))) {
      const bool users = !frame.system && !frame.file.empty();
      if (users) return SourcePlace{frame, depth + 1};
      if (!is_atomic_library(frame)) return std::nullopt;
    }
  }
  return std::nullopt;
}

MemoryOrder weaker_of(MemoryOrder one, MemoryOrder other) {
  if (stronger_of(one, other) == one) return other;
  return stronger_of(one, other) == other ? one : MemoryOrder::relaxed;
}

}  // namespace

MemoryOrder OrderKnob::synchronising() const {
  MemoryOrder most = MemoryOrder::acquire_release;
  if (failure || kind == AtomicKind::load) most = MemoryOrder::acquire;
  if (kind == AtomicKind::store) most = MemoryOrder::release;
  return stronger_of(said, most);
}

std::vector<MemoryOrder> OrderKnob::between() const {
  std::vector<MemoryOrder> orders;
  for (const MemoryOrder half : {MemoryOrder::acquire, MemoryOrder::release}) {
    const MemoryOrder order = stronger_of(said, half);
    if (order != said && order != synchronising()) orders.push_back(order);
  }
  return synchronising() == MemoryOrder::acquire_release ? orders : std::vector<MemoryOrder>();
}

std::vector<OrderKnob> knobs_of(const Symbols& symbols, const std::vector<AtomicSite>& sites) {
  std::vector<OrderKnob> knobs;
  const auto add = [&](const AtomicSite& site, const SourcePlace& place, bool failure) {
    const MemoryOrder said = failure ? site.orders.failure : site.orders.order;
    std::vector<std::uint64_t> stack(site.stack.begin(),
                                     site.stack.begin() + static_cast<std::ptrdiff_t>(place.depth));
    const auto known = std::find_if(knobs.begin(), knobs.end(), [&](const OrderKnob& knob) {
      return knob.file == place.frame.file && knob.line == place.frame.line &&
             knob.column == place.frame.column && knob.kind == site.kind && knob.failure == failure;
    });
    if (known == knobs.end()) {
      knobs.push_back({place.frame.file,
                       place.frame.line,
                       symbols.source_line(place.frame),
                       place.frame.column,
                       site.kind,
                       failure,
                       said,
                       {std::move(stack)}});
      return;
    }
    known->said = weaker_of(known->said, said);
    if (std::find(known->stacks.begin(), known->stacks.end(), stack) == known->stacks.end()) {
      known->stacks.push_back(std::move(stack));
    }
  };
  for (const AtomicSite& site : sites) {
    const std::optional<SourcePlace> place = source_place_of(symbols, site.stack);
    if (!place) continue;
    add(site, *place, false);
    if (site.kind == AtomicKind::compare_exchange) add(site, *place, true);
  }
  std::erase_if(knobs, [](const OrderKnob& knob) {
    return knob.said == MemoryOrder::sequentially_consistent;
  });
  std::sort(knobs.begin(), knobs.end(), [](const OrderKnob& one, const OrderKnob& other) {
    const auto key = [](const OrderKnob& knob) {
      return std::tie(knob.file, knob.line, knob.column, knob.kind, knob.failure);
    };
    return key(one) < key(other);
  });
  return knobs;
}

void add_changes(const OrderKnob& knob, MemoryOrder order, std::vector<OrderChange>& changes) {
  if (order == knob.said) return;
  Orders at_least;
  (knob.failure ? at_least.failure : at_least.order) = order;
  for (const std::vector<std::uint64_t>& stack : knob.stacks) {
    changes.push_back({stack, knob.kind, at_least});
  }
}

Repair::Change in_words(const OrderKnob& knob, MemoryOrder order,
                        const std::vector<OrderKnob>& all) {
  const bool crowded = std::any_of(all.begin(), all.end(), [&](const OrderKnob& other) {
    return other.file == knob.file && other.line == knob.line && other.kind == knob.kind &&
           other.column != knob.column;
  });
  std::string operation = name_of(knob.kind);
  if (knob.failure) operation += " that fails";
  if (crowded) operation += " in column " + std::to_string(knob.column);
  return {knob.file + ":" + std::to_string(knob.line),
          operation,
          name_of(knob.said),
          name_of(order),
          knob.source,
          knob.column};
}

}  // namespace mazurka::threads
