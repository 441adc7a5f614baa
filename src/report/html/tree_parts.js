// Words and marks of the tree: how executions end, what the selected one did, and which lines make
// executions part.
import { h, number, plural, s } from './dom.js';
import { report } from './document.js';
import { set, tone } from './store.js';
import { findings } from './finding.js';

export const ENDS = {
  complete: ['ok', 'fine'],
  failed: ['fail', 'failed'],
  deadlock: ['fail', 'deadlock'],
  asleep: ['asleep', 'asleep'],
  known: ['asleep', 'known state'],
  'in vain': ['asleep', 'only waited'],
  impossible: ['asleep', 'impossible outcome'],
  assumption: ['cut', 'assumption does not hold'],
  cut: ['cut', 'cut: too many events'],
  stalled: ['cut', 'computes without end'],
};
const NEAR = 60; // steps of an end that are shown in any case
const MOST_STEPS = 300;
export const kindOf = (node) => (ENDS[node.end] || ['cut', ''])[0];
export const nameOfProcess = (node) => report.tree.processes[node.process] ?? '';
export const stepText = (node) => node.action || '(not told)';

export function endMark(kind, x, y) {
  const tick = (d) => s('path', { d, class: 'tick' });
  switch (kind) {
    case 'ok':
      return [s('circle', { cx: x, cy: y, r: 6 }), tick(`M${x - 3} ${y}l2.2 2.4 4-4.6`)];
    case 'fail':
      return [
        s('rect', { x: x - 7, y: y - 7, width: 14, height: 14, rx: 3 }),
        tick(`M${x - 3} ${y - 3}l6 6M${x + 3} ${y - 3}l-6 6`),
      ];
    case 'asleep':
      return [
        s('circle', { cx: x, cy: y, r: 6 }),
        tick(`M${x - 2.5} ${y - 2.5}h5l-5 5h5`),
      ];
    default:
      return [tick(`M${x - 2} ${y - 6}v12M${x + 2} ${y - 6}v12`)];
  }
}

export function treeLegend() {
  const { tree, statistics } = report;
  const count = (kind) => tree.nodes.filter((node) => node.end && kindOf(node) === kind).length;
  const key = (kind, text) =>
    count(kind) > 0 &&
    h(
      'span',
      { class: 'key', 'data-test': 'tree-count', 'data-kind': kind },
      s('svg', { width: 16, height: 16, class: 'leaf ' + kind }, endMark(kind, 8, 8)),
      h('b', {}, number(count(kind))),
      ' ' + text,
    );
  const reversed = tree.nodes.filter((node) => node.reversed).length;
  return h(
    'div',
    { class: 'tree-head', 'data-test': 'tree-head' },
    key('ok', 'fine'),
    key('fail', 'fail'),
    key('asleep', 'begun in vain'),
    key('cut', 'cut'),
    h('span', { class: 'key' }, h('b', {}, number(reversed)), ' reversed races'),
    Number(statistics.skipped) > 0 &&
      h('span', {}, `${number(statistics.skipped)} decisions are beyond the bound`),
    finalStates(),
  );
}

// Each once, with how many executions end in it.
function finalStates() {
  const states = new Map();
  for (const node of report.tree.nodes) {
    if (!node.state) continue;
    const known = states.get(node.state) || { count: 0, fails: false };
    states.set(node.state, {
      count: known.count + 1,
      fails: known.fails || kindOf(node) === 'fail',
    });
  }
  if (!states.size) return null;
  const shown = [...states].slice(0, 6).map(([text, { count, fails }]) =>
    h(
      'span',
      { class: 'final' + (fails ? ' fail' : ''), 'data-test': 'final-state' },
      h('code', {}, text),
      ` \u00d7${count}`,
    ),
  );
  const more = states.size - shown.length;
  return h(
    'span',
    { class: 'finals' },
    plural(states.size, 'final state') + ': ',
    shown,
    more > 0 && ` and ${number(more)} more`,
  );
}

// What the execution of a leaf did, and why it is there.
export function account(shape, leaf, choose) {
  const node = shape.nodes[leaf];
  const path = shape.path(leaf);
  const [kind, text] = ENDS[node.end] || ['cut', ''];
  return [
    h(
      'div',
      { class: 'tree-title' },
      h('b', {}, node.number ? `Execution ${number(node.number)}` : 'Executions from here'),
      h('span', { class: 'tree-end ' + kind }, text),
      findings[node.finding] &&
        h(
          'button',
          {
            class: 'quiet',
            'data-test': 'tree-finding',
            onclick: () =>
              set(
                { finding: node.finding, step: findings[node.finding].home, view: 'timeline' },
                'push',
              ),
          },
          'Show the finding',
        ),
    ),
    node.state && h('p', { class: 'tree-state' }, h('code', {}, node.state)),
    node.state === null && h('p', { class: 'tree-state' }, 'Its final state was not looked at.'),
    node.explored_at && sleepText(shape, node, choose),
    h(
      'ol',
      { class: 'tree-steps', 'data-test': 'tree-steps' },
      shortened(shape, path).map((at) =>
        typeof at === 'string'
          ? h('li', { class: 'left-out' }, at)
          : stepRow(shape, at, choose),
      ),
    ),
  ];
}

// Of a long execution the beginning, the end, and where others part from it.
function shortened(shape, path) {
  const kept = path.map((at, k) => {
    const parts = shape.children[shape.nodes[at].parent].length > 1;
    return k < NEAR || k >= path.length - NEAR || parts;
  });
  const out = [];
  let missing = 0;
  path.forEach((at, k) => {
    if (kept[k] && out.length < MOST_STEPS + NEAR) {
      if (missing > 0) out.push(`${plural(missing, 'step')} without a choice`);
      missing = 0;
      out.push(at);
    } else ++missing;
  });
  if (missing > 0) out.push(plural(missing, 'more step'));
  return out;
}

function sleepText(shape, node, choose) {
  const link = (at) => {
    const one = shape.nodes[at];
    return h(
      'li',
      {},
      h('span', { class: 'mover ' + tone(one.process) }, nameOfProcess(one)),
      ' ',
      h('code', {}, stepText(one)),
      ': ',
      h('button', { class: 'link', onclick: () => choose(firstLeaf(shape, at)) }, 'explored there'),
    );
  };
  return h(
    'div',
    { class: 'tree-why', 'data-test': 'tree-why' },
    'All that could follow is explored elsewhere:',
    h('ul', {}, node.explored_at.map(link)),
  );
}

function firstLeaf(shape, at) {
  while (shape.nodes[at].end === undefined && shape.children[at].length) [at] = shape.children[at];
  return at;
}

function stepRow(shape, at, choose) {
  const node = shape.nodes[at];
  const others = shape.children[node.parent].filter((other) => other !== at);
  return h(
    'li',
    { class: others.length ? 'parts' : '', value: node.depth },
    h('span', { class: 'mover ' + tone(node.process) }, nameOfProcess(node)),
    ' ',
    h('code', {}, stepText(node)),
    node.place && h('span', { class: 'sub' }, ' ' + node.place),
    node.reversed && reversalText(shape, node),
    others.length > 0 &&
      h(
        'div',
        { class: 'sub' },
        'or ',
        others.map((other, k) => [
          k > 0 && ', ',
          h(
            'button',
            { class: 'link', onclick: () => choose(firstLeaf(shape, other)) },
            `${nameOfProcess(shape.nodes[other])} ${stepText(shape.nodes[other])}`,
          ),
        ]),
      ),
  );
}

export function reversalText(shape, node) {
  const [before, after] = node.reversed.map((at) => shape.nodes[at]);
  const named = (one) => [nameOfProcess(one), ' ', h('code', {}, stepText(one))];
  return h(
    'div',
    { class: 'sub', 'data-test': 'tree-reversal' },
    'race reversed: ',
    named(before),
    ' comes before ',
    named(after),
  );
}

export function branchingLines() {
  const { lines, sampled } = report.tree;
  if (!lines.length) return null;
  const percent = (share) => (100 * share).toFixed(0) + '%';
  const row = (line) =>
    h(
      'tr',
      { 'data-test': 'tree-line' },
      h(
        'th',
        { scope: 'row' },
        h('code', {}, line.place || line.action),
        line.place && h('span', { class: 'sub' }, ' ' + line.action),
      ),
      h(
        'td',
        { class: 'wide-col' },
        h(
          'div',
          { class: 'track' },
          h('div', { class: 'bar-fill', style: { width: percent(line.share) } }),
        ),
      ),
      h('td', { class: 'num' }, percent(line.share).replace('%', '\u202f%')),
    );
  const foot =
    sampled === null
      ? 'Every execution but the first leaves the ones before it at one step; these are the lines of those steps.'
      : `The step at which an execution leaves the ones before it, of ${plural(sampled, 'execution')} taken by chance.`;
  return h(
    'section',
    { class: 'tree-lines' },
    h('h3', {}, 'Where the executions come from'),
    h('table', { class: 'bars' }, h('tbody', {}, lines.slice(0, 30).map(row))),
    h('p', { class: 'foot' }, foot),
  );
}
