// One row of the timeline as elements.
import { classes, h, plural } from './dom.js';
import { icon } from './icons.js';
import { report } from './document.js';
import { current, go, set, state, tone } from './store.js';
import { heightOf, rows } from './rows.js';
import { lanes, lifelines, xOf } from './lanes.js';
import { chip, describe } from './chips.js';

// `again` draws the timeline anew, after a fold was opened or closed.
export function rowNode(r, related, again) {
  const row = rows.list[r];
  const style = { top: rows.tops[r] + 'px', height: heightOf(row) + 'px' };
  return NODES[row.t](
    row,
    { class: classes('row', row.t, isFuture(row) && 'future'), style },
    related,
    again,
  );
}

// What lies after the selected event; those who are stuck are so at the same time.
function isFuture(row) {
  const { events } = current();
  if (row.i <= state.step) return false;
  return !(events[row.i].op === 'stuck' && events[state.step].op === 'stuck');
}

const NODES = {
  event: eventNode,
  switch: switchNode,
  noReturn: (row, props) =>
    h(
      'div',
      { ...props, 'data-test': 'no-return' },
      lifelines(row),
      h(
        'span',
        { class: 'label' },
        h('b', {}, 'Point of no return'),
        h('span', { class: 'wide' }, ' \u2014 from here on every continuation fails'),
      ),
    ),
  skip: (row, props) =>
    h(
      'div',
      props,
      lifelines(row),
      h('span', { class: 'label' }, plural(row.n, 'event') + ' not shown'),
    ),
  fold: foldNode,
  foldOpen: foldNode,
  run: runNode,
};

function eventNode(row, props, related) {
  const f = current();
  const { i } = row;
  const e = f.events[i];
  const selected = i === state.step;
  const node = h(
    'div',
    {
      ...props,
      class: classes(
        props.class,
        selected && 'selected',
        e.fail && 'failing',
        state.hits.includes(i) && 'hit',
        !selected && related.has(i) && 'related',
      ),
      id: 'e' + (i + 1),
      role: 'option',
      'aria-selected': selected,
      'aria-posinset': i + 1,
      'aria-setsize': f.n,
      'aria-label': f.say(i),
      'data-test': 'event',
      'data-event': i + 1,
      'data-op': e.op,
      onclick: () => go(i),
    },
    h(
      'span',
      { class: 'no' },
      e.fail && h('span', { class: 'cross' }, '\u2715'),
      e.op === 'stuck' ? '' : i + 1,
    ),
    lifelines(row),
    e.op === 'start' && spawnLine(e),
    isSent(e) ? messageNode(f, e) : chipNode(f, e),
    placeNode(e),
    waitLabels(f, i),
  );
  return node;
}

const isSent = (e) =>
  e.op === 'message' && e.from !== null && e.from !== undefined && e.from !== e.p;

function chipNode(f, e) {
  const left = xOf(e.p) + 12;
  const room = Math.max(lanes.width - left - lanes.place, lanes.lane - 18);
  return chip(f, e, { short: lanes.dense, style: { left: left + 'px', 'max-width': room + 'px' } });
}

// A message is an arrow from lifeline to lifeline.
function messageNode(f, e) {
  const [a, b] = [xOf(e.from), xOf(e.p)];
  return h(
    'div',
    {
      class: `send ${tone(e.from)} ` + (a < b ? 'right' : 'left'),
      style: { left: Math.min(a, b) + 'px', width: Math.abs(a - b) + 'px' },
    },
    h(
      'span',
      { class: `chip message ${tone(e.from)}` + (e.fail ? ' fail' : ''), title: e.text },
      e.fail && icon('failure', 12),
      describe(f, e),
    ),
  );
}

function placeNode(e) {
  const path = e.at ? report.files[e.at[0]].path + ':' + e.at[1] : e.note;
  return h('span', { class: 'place', title: path }, e.at ? ':' + e.at[1] : e.note);
}

function spawnLine(e) {
  const far = Math.max(xOf(e.p), ...e.peers.map(xOf));
  return h('i', { class: 'spawn', style: { left: xOf(e.p) + 'px', width: far - xOf(e.p) + 'px' } });
}

// Where a process begins to wait while another one moves, unless the switch says it already.
function waitLabels(f, i) {
  const e = f.events[i];
  const labels = [];
  if (e.op === 'stuck') return labels;
  for (let p = 0; p < f.width; ++p) {
    const reason = f.blocks.get(i * f.width + p);
    if (!reason || e.p === p || e.switch?.why.startsWith(f.name(p) + ' ')) continue;
    const style = { left: xOf(p) + 10 + 'px', 'max-width': lanes.lane - 24 + 'px' };
    labels.push(h('span', { class: `waits ${tone(p)}`, style }, reason));
  }
  return labels;
}

function switchNode(row, props) {
  const f = current();
  const e = f.events[row.i];
  const before = row.i > 0 ? f.events[row.i - 1].p : e.p;
  const [a, b] = [xOf(before), xOf(e.p)];
  const left = Math.min(a, b);
  return h(
    'div',
    { ...props, class: `${props.class} ${e.switch.kind}`, 'data-test': 'switch' },
    lifelines(row),
    h('i', { class: 'turn', style: { left: left + 'px', width: Math.abs(a - b) + 'px' } }),
    h(
      'span',
      {
        class: 'why',
        style: { left: left + 12 + 'px', 'max-width': lanes.width - left - 24 + 'px' },
      },
      h('span', { class: 'mark', 'aria-hidden': 'true' }),
      h('span', { class: 'because' }, e.switch.why),
    ),
  );
}

function foldNode(row, props, related, again) {
  const f = current();
  const fold = f.folds[row.k];
  const open = row.t === 'foldOpen';
  const has = (i) => fold.from <= i && i <= fold.to;
  const toggle = () => {
    rows.auto.delete(row.k);
    if (open) rows.open.delete(row.k);
    else rows.open.add(row.k);
    if (open && has(state.step)) set({ step: Math.min(fold.to + 1, f.n - 1) });
    again();
  };
  const count = plural(fold.to - fold.from + 1, 'event');
  return h(
    'div',
    { ...props, class: classes(props.class, !open && has(state.step) && 'selected') },
    lifelines(row),
    h(
      'button',
      {
        class: 'fold-button',
        style: { left: xOf(f.events[fold.from].p) + 12 + 'px' },
        'aria-expanded': open,
        'data-test': 'fold',
        onclick: toggle,
      },
      h('span', { class: 'tri', 'aria-hidden': 'true' }, open ? '\u25be' : '\u25b8'),
      open ? 'fold these ' + count : h('b', {}, fold.label),
      !open && fold.note && h('span', { class: 'note' }, count + fold.note),
    ),
  );
}

// A stretch without a switch as one row of shapes.
function runNode(row, props) {
  const f = current();
  const { run } = row;
  const count = run.to - run.from + 1;
  const room = Math.floor((lanes.width - xOf(run.p) - lanes.place - 120) / 18);
  const shown = Math.min(count, Math.max(6, room));
  const glyphs = Array.from({ length: shown }, (_, k) => {
    const i = run.from + k;
    return h(
      'button',
      {
        class: 'glyph',
        tabindex: -1,
        title: f.events[i].text,
        'aria-label': f.say(i),
        onclick: () => go(i),
      },
      icon(f.events[i].op, 13),
    );
  });
  return h(
    'div',
    props,
    h('span', { class: 'no' }, run.from + 1),
    lifelines(row),
    h(
      'span',
      { class: `chip summary ${tone(run.p)}`, style: { left: xOf(run.p) + 12 + 'px' } },
      glyphs,
      h('span', { class: 'note' }, (shown < count ? '\u2026 ' : '') + plural(count, 'event')),
    ),
  );
}
