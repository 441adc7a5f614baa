#include "programs/promela/control.hpp"

#include <limits>

#include "core/check.hpp"

namespace mazurka::promela {

namespace {

using Kind = Element::Kind;

class LocationBuilder {
 public:
  LocationBuilder(Body& body, Model& model, Proctype& proctype)
      : elements_(body.elements), body_(body), model_(model), proctype_(proctype) {}

  void run() {
    if (elements_.size() >= std::numeric_limits<LocationId>::max()) {
      throw PromelaError(model_.files[proctype_.place.file], proctype_.place.line,
                         "proctype " + proctype_.name + " has too many statements");
    }
    for (Element& element : elements_) {
      if (has_body(element)) elements_[element.body.last].next = element.next;
    }
    steps_.resize(elements_.size());
    place(body_.sequence);
    proctype_.locations.resize(elements_.size());
    for (ElementId at = 0; at < elements_.size(); ++at) {
      Location& location = proctype_.locations[at];
      collect(at, location.transitions);
      location.may_end = elements_[at].may_end || elements_[at].kind == Kind::end;
      location.d_step = elements_[at].d_step;
      location.place = elements_[at].place;
    }
    proctype_.initial = location_of(hunt(body_.sequence.first, false));
  }

 private:
  [[nodiscard]] static bool has_body(const Element& element) {
    return element.kind == Kind::block || element.kind == Kind::atomic ||
           element.kind == Kind::d_step;
  }
  [[nodiscard]] static LocationId location_of(ElementId at) { return static_cast<LocationId>(at); }

  /// Where one is who comes to this element, from an element that is (not) inside of an atomic
  /// sequence.
  [[nodiscard]] ElementId hunt(ElementId at, bool atomic) const {
    for (std::size_t hops = 0; hops < 2 * elements_.size() + 2; ++hops) {
      const Element& element = elements_[at];
      ElementId next = none;
      if (element.kind == Kind::jump) {
        next = element.target;
      } else if (element.kind == Kind::join || element.kind == Kind::exit) {
        next = element.next;
      } else {
        return at;
      }
      if (next == none || (atomic && !elements_[next].atomic)) return at;
      at = next;
    }
    const Place& place = elements_[at].place;
    throw PromelaError(model_.files[place.file], place.line,
                       "a circle of jumps without a statement");
  }

  /// The first element of an option that is more than the beginning of a loop.
  [[nodiscard]] ElementId start_of(ElementId at) const {
    while (elements_[at].kind == Kind::join && elements_[at].next != none) at = elements_[at].next;
    return at;
  }

  /// The steps of all elements of the sequence, in the order of the text: jumps are adjusted on the
  /// way, sequence by sequence.
  void place(const Sequence& sequence) {
    for (ElementId at = sequence.first; at != none; at = elements_[at].next) {
      if (!steps_[at].placed) {
        steps_[at].placed = true;
        for (const Sequence& option : elements_[at].options) place(option);
        if (has_body(elements_[at])) place_body(at);
        if (is_single(at)) make_step(at);
      }
      if (at == sequence.last) break;
    }
  }

  void place_body(ElementId at) {
    const Sequence body = elements_[at].body;
    adjust_jumps(body);
    place(body);
  }

  /// A jump out of an atomic sequence ends it; one to another atomic sequence goes on with it.
  void adjust_jumps(const Sequence& sequence) {
    for (ElementId at = sequence.first; at != none; at = elements_[at].next) {
      Element& element = elements_[at];
      if (element.kind == Kind::jump) {
        const Element& target = elements_[element.target];
        const bool to_atomic = target.atomic || target.last_atomic;
        if ((element.atomic || element.last_atomic) && !to_atomic) {
          element.atomic = false;
          element.last_atomic = true;
        }
        if (element.last_atomic && to_atomic) {
          element.last_atomic = false;
          element.atomic = true;
        }
      }
      for (const Sequence& option : element.options) adjust_jumps(option);
      if (at == sequence.last) break;
    }
  }

  [[nodiscard]] bool is_single(ElementId at) const {
    const Element& element = elements_[at];
    return element.options.empty() && element.kind != Kind::block && element.kind != Kind::atomic;
  }

  void make_step(ElementId at) {
    Element& element = elements_[at];
    if (element.statement == none) element.statement = generic_statement(element);
    Transition& step = steps_[at].transition;
    step.statement = element.statement;
    step.atomic = element.atomic;
    if (element.kind == Kind::end) return;
    const ElementId next = element.kind == Kind::jump ? element.target : element.next;
    MAZURKA_CHECK(next < elements_.size(), "each step but the last is followed by another");
    step.target = location_of(hunt(next, element.atomic));
    if (element.kind == Kind::d_step) {
      model_.statements[element.statement].inside = location_of(start_of(element.body.first));
    }
  }

  StatementId generic_statement(const Element& element) {
    Statement statement;
    statement.act = element.kind == Kind::end         ? Act::end
                    : element.kind == Kind::otherwise ? Act::otherwise
                                                      : Act::skip;
    statement.text = element.kind == Kind::end         ? "ends"
                     : element.kind == Kind::otherwise ? "else"
                     : element.breaks                  ? "break"
                                                       : "goto";
    statement.place = element.place;
    model_.statements.push_back(statement);
    return static_cast<StatementId>(model_.statements.size() - 1);
  }

  /// All that is possible at the element: its own step, or the first ones inside of it.
  void collect(ElementId at, std::vector<Transition>& out) const {
    const Element& element = elements_[at];
    for (const Sequence& option : element.options) collect(start_of(option.first), out);
    if (element.kind == Kind::block || element.kind == Kind::atomic) {
      collect(start_of(element.body.first), out);
    } else if (element.options.empty() && steps_[at].transition.statement != none) {
      out.push_back(steps_[at].transition);
    }
  }

  struct Step {
    bool placed = false;
    Transition transition;
  };

  std::vector<Element>& elements_;
  const Body& body_;
  Model& model_;
  Proctype& proctype_;
  std::vector<Step> steps_;
};

/// All elements of the sequence, and all inside of them.
void mark(Body& body, const Sequence& sequence, std::uint32_t d_step) {
  for (ElementId at = sequence.first; at != none; at = body.elements[at].next) {
    Element& element = body.elements[at];
    element.atomic = true;
    if (d_step != none) element.d_step = d_step;
    if (element.kind == Kind::atomic || (element.kind == Kind::d_step && d_step != none)) {
      element.kind = Kind::block;
    }
    if (element.kind == Kind::block) mark(body, element.body, d_step);
    const std::vector<Sequence> options = element.options;
    for (const Sequence& option : options) mark(body, option, d_step);
    if (at == sequence.last) break;
  }
}

void mark_last(Body& body, const Sequence& sequence) {
  Element& last = body.elements[sequence.last];
  if (last.kind == Kind::block || last.kind == Kind::atomic) {
    mark_last(body, last.body);
  } else {
    last.atomic = false;
    last.last_atomic = true;
  }
}

}  // namespace

void append(Body& body, Sequence& sequence, ElementId element) {
  if (sequence.first == none) {
    sequence.first = element;
  } else {
    body.elements[sequence.last].next = element;
  }
  sequence.last = element;
}

void make_indivisible(Body& body, const Sequence& sequence, std::uint32_t d_step) {
  mark(body, sequence, d_step);
  mark_last(body, sequence);
}

void prune_skips(Body& body, ElementId selection) {
  for (const Sequence& option : body.elements[selection].options) {
    std::size_t in_a_row = 0;
    ElementId before = none;
    for (ElementId at = option.first; at != none; at = body.elements[at].next) {
      const Element& element = body.elements[at];
      const bool idle = (element.skips || element.prints) && !element.labelled;
      in_a_row = idle ? in_a_row + 1 : 0;
      if (in_a_row > 1 && element.skips && at != option.last) {
        body.elements[before].next = element.next;
      } else {
        before = at;
      }
      if (at == option.last) break;
    }
  }
}

void build_locations(Body& body, Model& model, Proctype& proctype) {
  LocationBuilder(body, model, proctype).run();
}

}  // namespace mazurka::promela
