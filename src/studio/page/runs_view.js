// All runs of this page, and two of them side by side.
import { bytes, h, number, seconds } from './dom.js';

const ROWS = [
  ['program', (run) => run.name],
  ['technique', (run) => run.outcome.technique],
  ['options', (run) => run.options.join(' ')],
  ['verdict', (run) => run.outcome.verdict_in_words],
  ['executions', (run) => number(run.outcome.executions), (run) => run.outcome.executions],
  ['begun in vain', (run) => number(run.outcome.asleep), (run) => run.outcome.asleep],
  ['events', (run) => number(run.outcome.events), (run) => run.outcome.events],
  ['time', (run) => seconds(run.outcome.seconds), (run) => run.outcome.seconds],
  [
    'memory',
    (run) => bytes(Number(run.outcome.statistics.peak_memory)),
    (run) => run.outcome.statistics.peak_memory,
  ],
  ['findings', (run) => run.outcome.findings.map(({ message }) => message).join('; ') || 'none'],
];

export class RunsView {
  constructor(open) {
    this.open = open;
    this.runs = [];
    this.chosen = [];
    this.node = h('section', { class: 'runs', 'data-test': 'view-runs', hidden: true });
    this.draw();
  }

  add(run) {
    this.runs.push(run);
    this.chosen = this.runs.slice(-2);
    this.draw();
  }

  choose(run, on) {
    this.chosen = this.chosen.filter((other) => other !== run);
    if (on) this.chosen = [...this.chosen, run].slice(-2);
    this.draw();
  }

  draw() {
    const row = (run) =>
      h(
        'tr',
        { 'data-test': 'run-row' },
        h(
          'td',
          {},
          h('input', {
            type: 'checkbox',
            'aria-label': `Compare run ${run.number}`,
            checked: this.chosen.includes(run),
            onchange: (e) => this.choose(run, e.target.checked),
          }),
        ),
        h('td', {}, h('button', { class: 'link', onclick: () => this.open(run) }, `#${run.number}`)),
        [0, 1, 2, 3, 4, 7].map((k) => h('td', {}, ROWS[k][1](run))),
      );
    const heads = ['', 'run', ...[0, 1, 2, 3, 4, 7].map((k) => ROWS[k][0])];
    this.node.replaceChildren(
      h('h2', {}, 'Runs'),
      this.runs.length
        ? h(
            'table',
            {},
            h('thead', {}, h('tr', {}, heads.map((text) => h('th', { scope: 'col' }, text)))),
            h('tbody', {}, this.runs.map(row)),
          )
        : h('p', { class: 'soft' }, 'None yet.'),
      this.compared() || '',
    );
  }

  compared() {
    if (this.chosen.length < 2) return null;
    const [one, other] = this.chosen;
    const factor = (value) => {
      const [a, b] = [Number(value(one)), Number(value(other))];
      return a > 0 && b > 0 && a !== b ? `\u00d7${(b / a).toPrecision(3)}` : '';
    };
    const row = ([name, text, value]) => {
      const [a, b] = [text(one), text(other)];
      return h(
        'tr',
        { class: a === b ? '' : 'differs', 'data-test': 'compared' },
        h('th', { scope: 'row' }, name),
        h('td', {}, a),
        h('td', {}, b),
        h('td', { class: 'soft' }, value ? factor(value) : ''),
      );
    };
    return h(
      'div',
      {},
      h('h2', {}, `Run ${one.number} and run ${other.number}`),
      h('table', {}, h('tbody', {}, ROWS.map(row))),
    );
  }
}
