// A software-defined network: a switch that does not know what to do with a packet asks the
// controller, which installs rules in all switches on the way and sends the packet on. Packets from
// outside may enter only after the host inside has sent one out. The controller first lets traffic
// pass at the inner switch and only then tells the border switch what to drop, so a packet can slip
// through: the safety policy is violated. With -DFIXED the rules are installed border first, and
// acknowledged. The 2023 paper's Table 3 (SDN) is a model of 490 lines that is not published; this
// one is written from its description, so its counts are its own.
#include <mazurka/actors.hpp>

struct Controller;

enum class Rule { unknown, forward, drop };

struct Host {
  int received = 0;
  bool attacked = false;
  void packet(bool malicious) {
    ++received;
    attacked = attacked || malicious;
  }
};

struct Switch {
  mazurka::Ref<Controller> controller;
  mazurka::Ref<Switch> inner;  // nobody: the host is next
  mazurka::Ref<Host> host;
  Rule good = Rule::unknown;
  Rule bad = Rule::unknown;

  void packet(mazurka::Context& context, bool malicious);
  void install(mazurka::Context& context, bool malicious, Rule rule);
  void forward(mazurka::Context& context, bool malicious) {
    if (inner) {
      context.send<&Switch::packet>(inner, malicious);
    } else {
      context.send<&Host::packet>(host, malicious);
    }
  }
};

struct Controller {
  mazurka::Ref<Switch> border;
  mazurka::Ref<Switch> inner;
  bool installed = false;
  int acknowledged = 0;

  void packet_in(mazurka::Context& context, mazurka::Ref<Switch> where, bool malicious) {
    if (malicious) return;  // the policy: it goes nowhere
    if (!installed) {
      installed = true;
#ifdef FIXED
      context.send<&Switch::install>(border, true, Rule::drop);
#else
      // Both directions are opened for everybody ...
      context.send<&Switch::install>(inner, true, Rule::forward);
      context.send<&Switch::install>(border, true, Rule::forward);
      // ... and then closed for the attacker.
      context.send<&Switch::install>(border, true, Rule::drop);
#endif
      context.send<&Switch::install>(inner, false, Rule::forward);
      context.send<&Switch::install>(border, false, Rule::forward);
    }
    context.send<&Switch::packet>(where == border ? inner : where, malicious);
  }
};

void Switch::packet(mazurka::Context& context, bool malicious) {
  const Rule rule = malicious ? bad : good;
  if (rule == Rule::forward) forward(context, malicious);
  if (rule == Rule::unknown) {
    if (!malicious && !inner) {
      forward(context, malicious);  // the controller has let it through already
    } else {
      context.send<&Controller::packet_in>(controller, context.self<Switch>(), malicious);
    }
  }
}

void Switch::install(mazurka::Context&, bool malicious, Rule rule) {
  (malicious ? bad : good) = rule;
}

void set_up(mazurka::Setup& system) {
  const auto host = system.spawn<Host>();
  const auto controller = system.spawn<Controller>();
  const auto inner = system.spawn<Switch>(controller, mazurka::Ref<Switch>(), host);
  const auto border = system.spawn<Switch>(controller, inner, host);
  system.state(controller) = {border, inner};
  system.send<&Switch::packet>(border, false);
  system.send<&Switch::packet>(border, true);
  // An attack is not forgotten: at the end is early enough, also for techniques that compare
  // states.
  system.finally("no attack gets through",
                 [=](const mazurka::View& view) { return !view[host].attacked; });
}

int main() { return mazurka::run(set_up); }
