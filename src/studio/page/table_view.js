// Programs and techniques by sizes: each program is checked with each technique for each size, one
// after the other, and the numbers are tabulated and drawn, on logarithmic scales.
import { h, number, s, seconds } from './dom.js';
import { kindOfProgram } from './choices.js';
import { fileName, programGroups } from './editor.js';
import { tone } from './tones.js';

const WIDE = 520;
const HIGH = 260;

export class TableView {
  // `run`: once(program, words), program(choice), current() and stop().
  constructor(menu, choices, run) {
    this.choices = choices;
    this.run = run;
    this.programs = h(
      'select',
      { multiple: true, size: 6, 'aria-label': 'Programs', 'data-test': 'table-programs' },
      programGroups(menu),
    );
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
        'Each program (none chosen: the one on the left) is checked with each technique for each size; a size is a ' +
          'definition for the compiler (-DN=3). Other options are those on the left.',
      ),
      h('label', {}, 'Programs ', this.programs),
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
    const chosen = [...this.programs.selectedOptions].map(({ value }) => value);
    const programs = chosen.length ? chosen : [this.run.current()];
    this.rows = programs.flatMap((choice) =>
      words(this.techniques).map((technique) => ({
        choice,
        technique,
        label: programs.length > 1 ? `${fileName(choice)} ${technique}` : technique,
        cells: [],
      })),
    );
    this.columns = words(this.sizes);
    this.draw();
    for (const size of this.columns) {
      for (const row of this.rows) {
        if (this.stopped) return;
        row.cells.push(await this.check(row, size));
        this.draw();
      }
    }
    this.stopped = true;
  }

  async check({ choice, technique }, size) {
    const program = await this.run.program(choice);
    const kind = kindOfProgram(program.name, program.text);
    const flags = `${this.choices.flags.value} -D${this.name.value.trim()}=${size}`;
    return this.run.once(program, this.choices.words(technique, flags, kind));
  }

  draw() {
    const cell = (outcome) => {
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
          this.rows.map(({ label, cells }) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, label),
              this.columns.map((_, k) => cell(cells[k])),
            ),
          ),
        ),
      ),
      this.plot('executions', (outcome) => Number(outcome.executions) + Number(outcome.asleep)),
      this.plot('seconds', (outcome) => outcome.seconds),
    );
  }

  plot(title, value) {
    const points = this.rows.map(({ cells }) =>
      cells
        .map((outcome, k) => [k, outcome])
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
          s('text', { x: x(list[list.length - 1][0]) + 8, y: y(list[list.length - 1][1]) + 4 }, this.rows[k].label),
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
