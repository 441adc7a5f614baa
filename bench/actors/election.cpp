// Leader election by votes, with the kind of bug that was found in a protocol which ran on
// telephone switches. A node that starts asks the others for their votes; a node votes once, for
// the first who asks; a candidate withdraws in favour of one with a smaller number, and votes for
// it. A majority makes a leader. Three nodes always elect one. With four (-DN=4), votes for
// candidates who then withdraw are lost, and it may happen that nobody is elected. With three nodes
// one of which may fail
// (-DFAILURES=1) the same happens although the nodes monitor each other: only the failure of whom
// one follows as leader makes a node start again. Paper (TransDPOR, Table 2): le-erlang3-failure
// and le-erlang4 (no leader); its source, after a protocol in Erlang, is not published.
#include <mazurka/actors.hpp>
#include <vector>

#ifndef N
#define N 3
#endif
#ifndef FAILURES
#define FAILURES 0
#endif

struct Node {
  static constexpr bool mortal = FAILURES > 0;

  int number = 0;
  std::vector<mazurka::Ref<Node>> others;
  bool candidate = false;
  bool voted = false;
  int votes = 0;
  bool leader = false;
  mazurka::Ref<Node> follows;

  void start(mazurka::Context& context) {
    if (voted) return;
    candidate = voted = true;
    votes = 1;
    for (const auto& other : others) {
      context.send<&Node::ask>(other, context.self<Node>(), number);
    }
  }
  void ask(mazurka::Context& context, mazurka::Ref<Node> who, int their_number) {
    const bool withdraws = candidate && !leader && their_number < number;
    if (voted && !withdraws) return;
    candidate = false;
    voted = true;
    context.send<&Node::vote>(who);
  }
  void vote(mazurka::Context& context) {
    if (!candidate || leader || ++votes <= N / 2) return;
    leader = true;
    for (const auto& other : others) context.send<&Node::elected>(other, context.self<Node>());
  }
  void elected(mazurka::Ref<Node> who) { follows = who; }
  void down(mazurka::Context& context, mazurka::Ref<Node> who) {
    if (follows != who) return;
    follows = {};
    voted = false;
    start(context);
  }
};

void set_up(mazurka::Setup& system) {
  std::vector<mazurka::Ref<Node>> nodes;
  for (int number = 0; number < N; ++number) nodes.push_back(system.spawn<Node>(number));
  for (const auto& node : nodes) {
    for (const auto& other : nodes) {
      if (other == node) continue;
      system.state(node).others.push_back(other);
#if FAILURES > 0
      system.monitor<&Node::down>(node, other);
#endif
    }
  }
  for (const auto& node : nodes) system.send<&Node::start>(node);
#if FAILURES > 0
  for (int at = 0; at < FAILURES; ++at) system.crash(nodes[nodes.size() - 1]);
#endif
  system.finally("one node leads", [](const mazurka::View& view) {
    return view.count<Node>([](const Node& node) { return node.leader; }) == 1;
  });
}

int main() { return mazurka::run(set_up); }
