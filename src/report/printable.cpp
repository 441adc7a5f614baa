#include "report/printable.hpp"

#include "core/shown_text.hpp"

namespace mazurka::report {

namespace {

void clean(std::string& text) { text = printable(text); }

void clean(std::vector<std::string>& texts) {
  for (std::string& text : texts) clean(text);
}

void clean(Story& story) {
  clean(story.processes);
  for (StoryRow& row : story.rows) {
    clean(row.action);
    clean(row.place);
    clean(row.stack);
    clean(row.switch_reason);
  }
  clean(story.endings);
  clean(story.remarks);
  clean(story.drawing);
  clean(story.summary);
  clean(story.place);
}

void clean(TreeStep& step) {
  clean(step.action);
  clean(step.place);
}

void clean(ExplorationTree& tree) {
  clean(tree.processes);
  for (TreeNode& node : tree.nodes) {
    clean(node.step);
    clean(node.state);
  }
  for (TreeStep& step : tree.parted) clean(step);
}

}  // namespace

Outcome printable_outcome(Outcome outcome) {
  clean(outcome.reason);
  clean(outcome.program);
  clean(outcome.technique);
  clean(outcome.explored);
  clean(outcome.resume_command);
  clean(outcome.notes);
  clean(outcome.repair.reason);
  for (Repair::Change& change : outcome.repair.changes) {
    clean(change.place);
    clean(change.source);
  }
  clean(outcome.tree);
  for (FindingReport& report : outcome.findings) {
    clean(report.finding.message);
    clean(report.story);
    clean(report.replay_command);
  }
  return outcome;
}

}  // namespace mazurka::report
