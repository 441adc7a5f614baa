// How much each technique took for the same program. Bars are linear while that shows something,
// else logarithmic, and the head of the column says which.
import { bytes, h, number, seconds } from './dom.js';
import { report } from './document.js';

const LINEAR = 40; // the largest ratio

export function buildCompare(node) {
  const scale = new Scale(report.comparison);
  const columns = ['in vain', 'events', 'time', 'processors', 'memory'].map((text) =>
    h('th', { scope: 'col', class: 'num' }, text),
  );
  const work = h(
    'th',
    { scope: 'col', class: 'wide-col' },
    scale.what,
    scale.log && ' (logarithmic)',
  );
  node.append(
    h(
      'div',
      { class: 'compare' },
      h('h2', {}, 'The same program, explored in different ways'),
      h(
        'table',
        { class: 'bars', 'data-test': 'compare' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, 'technique'),
            work,
            columns,
            h('th', { scope: 'col' }, 'verdict'),
          ),
        ),
        h(
          'tbody',
          {},
          report.comparison.map((row) => compareRow(row, scale)),
        ),
      ),
      h(
        'p',
        { class: 'foot' },
        h('i', { class: 'sample' }),
        'executions to the end ',
        h('i', { class: 'sample vain' }),
        'begun in vain. The factors are relative to the fewest.',
      ),
    ),
  );
}

// Where no technique counts executions, the events have to do.
class Scale {
  constructor(list) {
    this.counts = list.some(({ executions }) => Number(executions) > 0);
    this.what = this.counts ? 'executions' : 'events';
    const all = list.map((row) => this.total(row)).filter((n) => n > 0);
    this.most = Math.max(1, ...all);
    this.least = Math.min(this.most, ...all);
    this.log = this.most / this.least > LINEAR;
  }
  total(row) {
    return this.counts ? Number(row.executions) + Number(row.asleep) : Number(row.events);
  }
  // 0 to 1
  size(n) {
    if (n <= 0) return 0;
    return this.log ? (Math.log10(n) + 0.3) / (Math.log10(this.most) + 0.3) : n / this.most;
  }
}

function compareRow(row, scale) {
  const total = scale.total(row);
  const done = row.verdict === 'verified' || row.verdict === 'finding';
  const times = total / scale.least;
  const vain = scale.counts && total > 0 ? Number(row.asleep) / total : 0;
  const percent = (x) => (100 * x).toFixed(2) + '%';
  const factor = times > 1 && `\u00d7${times < 10 ? times.toFixed(1) : number(Math.round(times))}`;
  return h(
    'tr',
    { 'data-test': 'compare-row', 'data-technique': row.technique },
    h('th', { scope: 'row' }, h('span', { class: 'tech' }, row.technique)),
    h(
      'td',
      { class: 'wide-col' },
      h(
        'div',
        { class: 'bar-row' },
        h(
          'div',
          { class: 'track' },
          h(
            'div',
            { class: 'bar-fill', style: { width: percent(scale.size(total)) } },
            vain > 0 && h('i', { class: 'vain', style: { width: percent(vain) } }),
          ),
        ),
        h('span', { class: 'bar-number' }, row.explored || number(row.executions), !done && '+'),
        h('span', { class: 'times' }, factor),
      ),
    ),
    [
      number(row.asleep),
      number(row.events),
      seconds(row.seconds),
      seconds(row.processor_seconds),
      bytes(Number(row.peak_memory)),
    ].map((text) => h('td', { class: 'num' }, text)),
    h('td', {}, h('span', { class: 'verdict ' + row.verdict }, row.verdict)),
  );
}
