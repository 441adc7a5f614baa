// Techniques by sizes: the program is checked with each, one after the other, and the numbers are
// tabulated and drawn, on logarithmic scales.
import { h, number, s, seconds } from './dom.js';
import { tone } from './tones.js';

const WIDE = 520;
const HIGH = 260;

export class TableView {
  constructor(choices, run) {
    this.choices = choices;
    this.run = run;
    this.stopped = true;
    this.techniques = h('input', {
      type: 'text',
      value: 'optimal, source, dpor',
      'aria-label': 'Techniques',
      'data-test': 'table-techniques',
    });
    this.name = h('input', { type: 'text', value: 'N', 'aria-label': 'Name of the size', 'data-test': 'table-name' });
    this.sizes = h('input', { type: 'text', value: '1, 2, 3', 'aria-label': 'Sizes', 'data-test': 'table-sizes' });
    this.result = h('div', { 'data-test': 'table-result' });
    this.node = h(
      'section',
      { class: 'tables', 'data-test': 'view-table', hidden: true },
      h('h2', {}, 'Techniques and sizes'),
      h(
        'p',
        { class: 'soft' },
        'The program is checked with each technique for each size; a size is a definition for the compiler (-DN=3). ' +
          'Other options are those on the left.',
      ),
      h('label', {}, 'Techniques ', this.techniques),
      h('label', {}, 'Definition ', this.name),
      h('label', {}, 'Sizes ', this.sizes),
      h('button', { class: 'go', 'data-test': 'table-run', onclick: () => this.fill() }, 'Fill the table'),
      h('button', { 'data-test': 'table-stop', onclick: () => this.halt() }, 'Stop'),
      this.result,
    );
  }

  halt() {
    this.stopped = true;
    this.run.stop();
  }

  async fill() {
    if (!this.stopped) return;
    this.stopped = false;
    const words = (field) => field.value.split(/[\s,]+/).filter(Boolean);
    this.cells = new Map();
    this.rows = words(this.techniques);
    this.columns = words(this.sizes);
    this.draw();
    for (const size of this.columns) {
      for (const technique of this.rows) {
        if (this.stopped) return;
        const flags = `${this.choices.flags.value} -D${this.name.value.trim()}=${size}`;
        const outcome = await this.run.once(this.choices.words(technique, flags));
        this.cells.set(technique + ' ' + size, outcome);
        this.draw();
      }
    }
    this.stopped = true;
  }

  draw() {
    const cell = (technique, size) => {
      const outcome = this.cells.get(technique + ' ' + size);
      if (outcome === undefined) return h('td', { class: 'soft' }, '\u2026');
      if (outcome === null || outcome.verdict === 'error')
        return h('td', { class: 'wrong', title: outcome?.reason }, 'error');
      const vain = Number(outcome.asleep) > 0 ? ` + ${number(outcome.asleep)}` : '';
      return h(
        'td',
        { 'data-test': 'table-cell', class: outcome.verdict },
        number(outcome.executions) + vain,
        h('span', { class: 'soft' }, ' ' + seconds(outcome.seconds)),
      );
    };
    this.result.replaceChildren(
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h('tr', {}, h('th', {}, 'executions + in vain, time'), this.columns.map((size) => h('th', { scope: 'col' }, `${this.name.value}=${size}`))),
        ),
        h(
          'tbody',
          {},
          this.rows.map((technique) =>
            h('tr', {}, h('th', { scope: 'row' }, technique), this.columns.map((size) => cell(technique, size))),
          ),
        ),
      ),
      this.plot('executions', (outcome) => Number(outcome.executions) + Number(outcome.asleep)),
      this.plot('seconds', (outcome) => outcome.seconds),
    );
  }

  plot(title, value) {
    const points = this.rows.map((technique) =>
      this.columns
        .map((size, k) => [k, this.cells.get(technique + ' ' + size)])
        .filter(([, outcome]) => outcome && outcome.verdict !== 'error' && value(outcome) > 0)
        .map(([k, outcome]) => [k, Math.log10(value(outcome))]),
    );
    const all = points.flat().map(([, y]) => y);
    if (!all.length) return '';
    const low = Math.floor(Math.min(...all));
    const high = Math.max(low + 1, Math.ceil(Math.max(...all)));
    const x = (k) => 60 + (k * (WIDE - 170)) / Math.max(1, this.columns.length - 1);
    const y = (v) => 24 + ((high - v) * (HIGH - 60)) / (high - low);
    const ticks = Array.from({ length: high - low + 1 }, (_, k) => low + k);
    const line = (list, k) =>
      s(
        'g',
        { class: tone(k), 'data-test': 'plot-line' },
        s('path', { class: 'curve', d: list.map(([at, v], n) => `${n ? 'L' : 'M'}${x(at)} ${y(v)}`).join('') }),
        list.map(([at, v]) => s('circle', { cx: x(at), cy: y(v), r: 3.5 })),
        list.length > 0 &&
          s('text', { x: x(list[list.length - 1][0]) + 8, y: y(list[list.length - 1][1]) + 4 }, this.rows[k]),
      );
    return s(
      'svg',
      { class: 'plot', width: WIDE, height: HIGH, role: 'img', 'aria-label': `${title} by size` },
      s('text', { x: 8, y: 14, class: 'plot-title' }, title),
      ticks.map((v) => [
        s('path', { class: 'grid', d: `M56 ${y(v)}H${WIDE - 104}` }),
        s('text', { x: 50, y: y(v) + 4, 'text-anchor': 'end' }, v < 0 ? (10 ** v).toFixed(-v) : number(10 ** v)),
      ]),
      this.columns.map((size, k) => s('text', { x: x(k), y: HIGH - 14, 'text-anchor': 'middle' }, size)),
      points.map(line),
    );
  }
}
