// Lanes and lifelines. Solid: it runs; dashed: it could; hatched: it is blocked; a bar ends it.
import { h } from './dom.js';
import { STATE } from './finding.js';
import { current, state, tone } from './store.js';
import { positionAt } from './histories.js';
import { heightOf } from './rows.js';

const INSET = 14; // from the edge of a lane to its line

export const lanes = { number: 50, lane: 0, width: 0, place: 52, dense: false };

export const xOf = (p) => lanes.number + p * lanes.lane + INSET;

// How wide lanes are in a timeline of this width.
export function measureLanes(width) {
  const f = current();
  const narrow = width < 560;
  lanes.number = 36 + 7 * String(f.n).length;
  lanes.place = narrow ? 6 : 52; // narrow: no column of lines, the room goes to the last lane
  const room = Math.floor((width - lanes.number - Math.max(44, lanes.place)) / f.width);
  lanes.lane = Math.max(narrow ? 88 : 112, Math.min(room, 420));
  lanes.width = Math.max(width, lanes.number + lanes.place + f.width * lanes.lane);
  // Names are shortened if those in the last lane would not fit: elsewhere a chip may reach into
  // free lanes.
  lanes.dense = lanes.lane < Math.min(250, f.widestChip());
  lanes.terse = lanes.lane < 136 && f.width > 1;
}

const NAMES = ['not started', 'ready', 'running', 'waits', 'finished'];

// What a process is doing at the selected step, in a word.
function statusOf(f, p, step) {
  const e = f.events[step];
  if (e.op === 'stuck') {
    const stuck = f.events.find((other) => other.op === 'stuck' && other.p === p);
    if (stuck) return stuck.text;
  }
  if (e.p === p && e.fail) return 'fails here';
  if (f.chart && e.op === 'message') {
    if (e.p === p) return 'handles ' + e.text;
    return e.from === p ? 'sent it' : '';
  }
  if (f.chart) return e.p === p ? 'moves' : '';
  if (f.automata.length) return locationOfLane(f, p, step);
  const st = f.state(step, p);
  if (st === STATE.blocked) return f.waitsFor(step, p) || NAMES[st];
  if (st === STATE.ready) return f.first[p] > step ? 'ready to begin' : 'ready, not scheduled';
  return NAMES[st];
}

function locationOfLane(f, p, step) {
  const a = f.automata.findIndex(({ name }) => name === f.processes[p].name);
  return a < 0 ? '' : 'in ' + f.history[a][positionAt(f.history[a], step)].text;
}

export function laneHeads() {
  const f = current();
  const heads = f.processes.map((process, p) => {
    const status = statusOf(f, p, state.step);
    return h(
      'div',
      {
        class: `lane-head ${tone(p)} s${f.state(state.step, p)}`,
        style: { width: lanes.lane + 'px' },
        title: `${process.name} ${process.role}: ${status}`,
        'data-test': 'lane-head',
      },
      h(
        'div',
        { class: 'who' },
        h('span', { class: 'swatch' }),
        h('b', {}, process.name),
        process.role && h('span', { class: 'role' }, process.role),
      ),
      h('div', { class: 'now' }, status || '\u00a0'),
    );
  });
  return [h('div', { class: 'corner', style: { width: lanes.number + 'px' } }), ...heads];
}

const line = (p, kind, height) =>
  h('i', { class: `life ${kind} ${tone(p)}`, style: { left: xOf(p) + 'px', height } });

const KIND = { [STATE.ready]: 'ready', [STATE.run]: 'run', [STATE.blocked]: 'blocked' };

// The lifelines that cross one row.
export function lifelines(row) {
  const f = current();
  const out = [];
  for (let p = 0; p < f.width; ++p) {
    if (row.t === 'switch' && row.i > 0 && switchLines(f, row, p, out)) continue;
    const st = stateIn(f, row, p);
    if (st === STATE.none || st === STATE.done) continue;
    const ends = row.t === 'event' && endsAt(f, row.i, p);
    out.push(line(p, KIND[st] + (ends ? ' cap' : ''), ends ? undefined : heightOf(row) + 'px'));
  }
  return out;
}

function stateIn(f, row, p) {
  const st = f.state(row.i, p);
  const calm = f.chart || (row.t === 'noReturn' && f.events[row.i + 1]?.p !== p);
  return st === STATE.run && calm ? STATE.ready : st;
}

function endsAt(f, i, p) {
  const e = f.events[i];
  if (e.p !== p || i !== f.last[p] || e.fail || i + 1 >= f.n) return false;
  return f.state(i + 1, p) === STATE.done && !f.events[i + 1].switch;
}

// At a switch one line changes to rest, another to running, half-way down the row. Says whether
// that was all there is to draw for the process.
function switchLines(f, row, p, out) {
  const from = f.events[row.i - 1].p;
  const to = f.events[row.i].p;
  if (p !== from && p !== to) return false;
  const st = f.state(row.i, p);
  if (p === from && p !== to) {
    const kind = f.chart ? 'ready' : 'run';
    out.push(line(p, kind + ' half-top' + (st === STATE.done ? ' cap' : '')));
  } else {
    const was = f.state(row.i - 1, p);
    if (was !== STATE.none)
      out.push(line(p, (was === STATE.blocked ? 'blocked' : 'ready') + ' half-top'));
  }
  if (st !== STATE.done && st !== STATE.none) {
    out.push(line(p, KIND[stateIn(f, row, p)] + ' half-bottom'));
  }
  return true;
}
