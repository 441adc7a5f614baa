// One run: its progress while it goes on, its report when it has ended.
import { h, number, seconds } from './dom.js';
import {
  fetchOutcome,
  lookAtRun,
  outcomeAddress,
  reportAddress,
  scheduleAddress,
  stopRun,
} from './server.js';
import { LiveTree } from './live_tree.js';

const PAUSE = 250; // milliseconds between two looks

// Watches a run until it has ended. Returns its outcome, or null if it came to none.
export async function watchRun(run, onLook) {
  let from = 0;
  for (;;) {
    const seen = await lookAtRun(run, from);
    from = seen.count;
    onLook(seen);
    if (!seen.running) break;
    await new Promise((done) => setTimeout(done, PAUSE));
  }
  try {
    return await fetchOutcome(run);
  } catch {
    return null;
  }
}

export class RunView {
  constructor() {
    this.state = h('b', { 'data-test': 'run-state' });
    this.numbers = h('span', { class: 'soft', 'data-test': 'progress' });
    this.links = h('span', { class: 'links' });
    this.tree = new LiveTree();
    this.said = h('pre', { class: 'said', 'data-test': 'said' });
    this.frame = h('iframe', { class: 'report', title: 'Report', 'data-test': 'report', hidden: true });
    this.node = h(
      'section',
      { class: 'run', 'data-test': 'view-run' },
      h('div', { class: 'run-head', 'aria-live': 'polite' }, this.state, this.numbers, this.links),
      this.tree.canvas,
      this.said,
      this.frame,
    );
    this.clear();
  }

  clear() {
    this.state.textContent = 'Choose a program and run it';
    this.numbers.textContent = '';
    this.links.replaceChildren();
    this.tree.latest = [];
    this.tree.canvas.hidden = true;
    this.said.hidden = true;
    this.frame.hidden = true;
  }

  begin() {
    this.clear();
    this.state.textContent = 'Running';
  }

  look(seen) {
    for (const line of seen.progress) this.tree.add(line.latest || []);
    this.tree.canvas.hidden = !seen.running || !this.tree.latest.length;
    const latest = seen.progress[seen.progress.length - 1];
    if (latest) this.numbers.textContent = progressText(latest);
    if (seen.running && seen.stopped) this.state.textContent = 'Stopping';
  }

  end(run, outcome, seen) {
    this.tree.canvas.hidden = true;
    this.state.textContent = outcome ? outcome.verdict : 'ended';
    this.state.className = 'verdict-' + (outcome ? outcome.verdict : 'error');
    this.numbers.textContent = outcome
      ? `${number(outcome.executions)} executions, ${outcome.technique}, ${seconds(outcome.seconds)}`
      : 'it came to no outcome';
    if (!outcome || outcome.verdict === 'error') {
      this.said.textContent = seen.said || outcome?.reason || '';
      this.said.hidden = false;
      return;
    }
    this.frame.src = reportAddress(run);
    this.frame.hidden = false;
    const link = (text, href, download, test) =>
      h('a', { href, download, 'data-test': test }, text);
    this.links.replaceChildren(
      link('Download report', reportAddress(run), 'report.html', 'download-report'),
      link('JSON', outcomeAddress(run), 'outcome.json', 'download-json'),
      ...outcome.findings.map((_, k) =>
        link(`Schedule ${k + 1}`, scheduleAddress(run, k + 1), `${k + 1}.schedule`, 'download-schedule'),
      ),
    );
  }

  fail(why) {
    this.clear();
    this.state.textContent = why;
  }
}

export const stop = (run) => stopRun(run);

export function progressText(line) {
  if (line.nodes !== undefined)
    return `${number(line.nodes)} nodes, ${number(line.states)} states, ${seconds(line.seconds)}`;
  const share = line.explored > 0 ? `, about ${(100 * line.explored).toFixed(0)}\u202f% done` : '';
  const more =
    !share && line.at_least > line.executions
      ? `, of more than ${number(Math.round(line.at_least))}`
      : '';
  return (
    `${number(line.executions)} executions (${number(line.rate)} in a second)${share}${more}, ` +
    `depth ${line.depth}, ${seconds(line.seconds)}`
  );
}
