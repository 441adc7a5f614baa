// The arrows of the selected event: what it read, what it waited for, what comes of it. And the one
// between the two accesses of a data race.
//
// Rows hold one chip each, to the right of its lifeline: along the row of the event on the right, and
// down beside the lifeline on the left, an arrow never crosses one.
import { s } from './dom.js';
import { current, state, tone } from './store.js';
import { middleOf } from './rows.js';
import { xOf } from './lanes.js';

function head(id, kind) {
  const size = { markerWidth: 4.6, markerHeight: 4.6, refX: 7, refY: 4, viewBox: '0 0 8 8' };
  return s(
    'marker',
    { id, ...size, orient: 'auto-start-reverse', class: kind },
    s('path', { d: 'M0 .5L7.5 4L0 7.5z' }),
  );
}

export function arrowNodes() {
  const f = current();
  const kinds = ['rf', 'sync', 'race', 'held'];
  const out = [
    s(
      'defs',
      {},
      kinds.map((kind) => head('head-' + kind, kind)),
    ),
  ];
  const list = f.arrows(state.step);
  if (f.isRace) list.push({ from: f.failing[0], to: f.failing[1], kind: 'race' });
  const used = new Map(); // how many arrows run beside a lifeline
  for (const arrow of list) {
    const d = pathOf(f, arrow, used);
    if (!d) continue;
    out.push(
      s('path', {
        d,
        class: `arrow ${arrow.kind}` + (arrow.out ? ' out' : ''),
        'marker-end': `url(#head-${arrow.kind})`,
        'marker-start': arrow.kind === 'race' ? 'url(#head-race)' : undefined,
        'data-test': 'arrow',
        'data-kind': arrow.kind,
      }),
    );
  }
  const { p } = f.events[state.step];
  out.push(s('circle', { cx: xOf(p), cy: middleOf(state.step), r: 5.5, class: 'here ' + tone(p) }));
  return out;
}

function pathOf(f, { from, to }, used) {
  const end = f.events[to];
  // In a chart the message has its arrow already: show at which step it was sent.
  const sent = end.op === 'message' && end.from !== null && end.from !== undefined;
  const [x1, x2] = [xOf(f.events[from].p), xOf(sent ? end.from : end.p)];
  const [y1, y2] = [middleOf(from), middleOf(to)];
  if (y1 === y2) return null; // both in one fold
  const left = Math.min(x1, x2);
  const nth = used.get(left) || 0;
  used.set(left, nth + 1);
  const x = left - 21 - 5 * nth;
  const down = y2 > y1 ? 1 : -1;
  const r = Math.min(6, Math.abs(y2 - y1) / 2);
  return (
    `M${x1 - 6} ${y1}H${x + r}Q${x} ${y1} ${x} ${y1 + r * down}` +
    `V${y2 - r * down}Q${x} ${y2} ${x + r} ${y2}H${x2 - 8}`
  );
}
