// Happens-before: one lane per process, one level per step of the longest chain, so that events side
// by side are not ordered. The selected event divides all into its past, its future and what is not
// ordered with it. Edges that others imply are left out.
import { clipped, h, s } from './dom.js';
import { current, go, state, subscribe, tone } from './store.js';
import { directEdges, orderOf } from './order.js';

const ROW = 34;
const TOP = 58;
const LEFT = 30;
const MARGIN = 400; // pixels that are drawn above and below what is seen

let box, legend, drawing;

export function buildGraph(node) {
  legend = h('div', { class: 'graph-legend', 'data-test': 'graph-legend' });
  drawing = s('svg', { class: 'hb', role: 'img', 'aria-label': 'Happens-before graph' });
  box = h(
    'div',
    {
      class: 'graph-box',
      tabindex: 0,
      role: 'region',
      'aria-label': 'Happens-before graph; arrow keys step',
    },
    drawing,
  );
  node.append(legend, box);
  box.addEventListener('scroll', () => requestAnimationFrame(() => drawGraph(false)), {
    passive: true,
  });
  new ResizeObserver(() => drawGraph(true)).observe(box);
  subscribe((now) => {
    if (now.view === 'graph') drawGraph(true);
  });
}

class Geometry {
  constructor(f) {
    this.f = f;
    this.lane = Math.max(132, Math.min(390, (box.clientWidth - LEFT - 20) / f.width));
    this.width = LEFT + this.lane * f.width + 20;
    this.height = TOP + (f.level.reduce((a, b) => Math.max(a, b), 0) + 1) * ROW + 20 + (f.cycle.length ? 60 : 0);
    this.characters = Math.max(8, Math.floor((this.lane - 36) / 6.8));
  }
  x(i) {
    return LEFT + this.f.events[i].p * this.lane + 14;
  }
  y(i) {
    return TOP + this.f.level[i] * ROW;
  }
  look() {
    this.low = (box.scrollTop - MARGIN - TOP) / ROW;
    this.high = (box.scrollTop + box.clientHeight + MARGIN - TOP) / ROW;
  }
  sees(i) {
    return this.f.level[i] >= this.low && this.f.level[i] <= this.high;
  }
  // An edge may cross what is seen with both ends outside.
  seesEdge(a, b) {
    return this.f.level[a] <= this.high && this.f.level[b] >= this.low;
  }
}

function drawGraph(follow) {
  if (!box.clientHeight) return;
  const f = current();
  const g = new Geometry(f);
  drawing.setAttribute('width', g.width);
  drawing.setAttribute('height', g.height);
  const y = g.y(state.step);
  const hidden = y < box.scrollTop + 80 || y > box.scrollTop + box.clientHeight - 60;
  if (follow && hidden) box.scrollTop = y - box.clientHeight / 2;
  g.look();
  const orders = f.events.map((_, i) => orderOf(f, i, state.step));
  const edges = [];
  const nodes = [];
  f.events.forEach((e, i) => {
    edges.push(...edgesTo(g, i, orders));
    if (g.sees(i)) nodes.push(graphNode(g, i, orders[i]));
  });
  drawing.replaceChildren(arrowHead(), ...edges, ...raceEdge(g), ...circleEdges(g), ...nodes, titles(g));
  drawLegend(f, orders);
}

function arrowHead() {
  const size = { viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 6.5, markerHeight: 6.5 };
  const shape = s('path', { d: 'M0 .5L7.5 4L0 7.5z', class: 'hb-head' });
  return s('defs', {}, s('marker', { id: 'hb-head', ...size, orient: 'auto' }, shape));
}

function edgesTo(g, i, orders) {
  const { f } = g;
  const lit = (a) => ['past', 'self'].includes(orders[i]) || ['future', 'self'].includes(orders[a]);
  const out = [];
  const before = f.previous[i];
  if (before >= 0 && g.seesEdge(before, i)) {
    const d = `M${g.x(before)} ${g.y(before) + 7}V${g.y(i) - 7}`;
    out.push(s('path', { d, class: `po ${tone(f.events[i].p)}` + (lit(before) ? ' lit' : '') }));
  }
  for (const a of sourcesOf(f, i)) {
    if (!g.seesEdge(a, i)) continue;
    const kind = f.events[i].rf === a ? 'rf' : 'sync';
    const props = {
      class: `hb-edge ${kind}` + (lit(a) ? ' lit' : ''),
      'marker-end': 'url(#hb-head)',
    };
    out.push(s('path', { d: edgePath(g, a, i), ...props, 'data-test': 'graph-edge' }));
  }
  return out;
}

// What has to come before it, and what it reads: that may be written by somebody whom nothing
// orders with it, or be implied by other edges.
function sourcesOf(f, i) {
  const direct = directEdges(f, i);
  const { rf, p } = f.events[i];
  const another = rf !== undefined && f.events[rf].p !== p && !direct.includes(rf);
  return another ? [...direct, rf] : direct;
}

// Who waits for each other in a circle: from each one to who holds what it wants.
function circleEdges(g) {
  const { f } = g;
  const stuckAt = (p) => f.events.findIndex((e) => e.op === 'stuck' && e.p === p);
  return f.cycle.flatMap(({ p, obj, holder }) => {
    const [a, b] = [stuckAt(p), stuckAt(holder)];
    if (a < 0 || b < 0) return [];
    const [x1, y1, x2, y2] = [g.x(a), g.y(a), g.x(b), g.y(b)];
    const bend = (x2 > x1 ? 26 : 52) + (a === b ? 20 : 0);
    const middle = { x: (x1 + x2) / 2 + 40, y: Math.max(y1, y2) + bend * 0.75 + 12 };
    const d = `M${x1} ${y1 + 9}C${x1} ${y1 + bend} ${x2} ${y2 + bend} ${x2} ${y2 + 11}`;
    return [
      s('path', { d, class: 'race-edge circle', 'marker-end': 'url(#hb-head)', 'data-test': 'circle-edge' }),
      s('text', { ...middle, class: 'race-label', 'text-anchor': 'middle' }, `wants ${f.object(obj)}`),
    ];
  });
}

// A short edge is a curve; a long one runs beside the lane of its end.
function edgePath(g, a, b) {
  const [x1, y1, x2, y2] = [g.x(a), g.y(a), g.x(b), g.y(b)];
  const side = x2 > x1 ? 1 : -1;
  if (g.f.level[b] - g.f.level[a] <= 2) {
    const bend = g.lane * 0.35 * side;
    return `M${x1 + 7 * side} ${y1 + 2}C${x1 + bend} ${y1 + 8} ${x2 - bend} ${y2 - 10} ${x2 - 9 * side} ${y2 - 2}`;
  }
  const x = x2 - 16 * side;
  return (
    `M${x1 + 8 * side} ${y1}H${x - 6 * side}Q${x} ${y1} ${x} ${y1 + 6}` +
    `V${y2 - 6}Q${x} ${y2} ${x + 5 * side} ${y2}H${x2 - 9 * side}`
  );
}

function graphNode(g, i, order) {
  const { f } = g;
  const e = f.events[i];
  const [x, y] = [g.x(i), g.y(i)];
  return s(
    'g',
    {
      class: `hb-node ${order} ${tone(e.p)}` + (e.fail ? ' fail' : ''),
      'data-test': 'graph-node',
      'data-event': i + 1,
      onclick: () => go(i),
    },
    s('title', {}, f.say(i)),
    s('rect', { x: x - 12, y: y - ROW / 2, width: g.lane - 6, height: ROW, class: 'hot' }),
    order === 'self' && s('circle', { cx: x, cy: y, r: 12, class: 'ring' }),
    shape(e, x, y),
    s('text', { x: x + 15, y: y + 4 }, clipped(e.text, g.characters)),
  );
}

function shape(e, x, y) {
  const path = (d) => s('path', { d, class: 'node' });
  switch (e.op) {
    case 'write':
    case 'update':
      return s('rect', { x: x - 6, y: y - 6, width: 12, height: 12, rx: 2, class: 'node' });
    case 'lock':
    case 'woken':
      return path(`M${x - 7} ${y - 5}H${x + 7}L${x} ${y + 7}z`);
    case 'unlock':
    case 'wait':
      return path(`M${x - 7} ${y + 5}H${x + 7}L${x} ${y - 7}z`);
    case 'failure':
    case 'stuck':
      return path(`M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12`);
    case 'start':
    case 'join':
      return path(`M${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}L${x - 7} ${y}z`);
    default:
      return s('circle', { cx: x, cy: y, r: 6, class: 'node' });
  }
}

function raceEdge(g) {
  if (!g.f.isRace) return [];
  const [a, b] = g.f.failing;
  const middle = { x: (g.x(a) + g.x(b)) / 2, y: (g.y(a) + g.y(b)) / 2 - 10 };
  return [
    s('path', {
      d: `M${g.x(a)} ${g.y(a)}L${g.x(b)} ${g.y(b)}`,
      class: 'race-edge',
      'data-test': 'race-edge',
    }),
    s(
      'text',
      { ...middle, class: 'race-label', 'text-anchor': 'middle' },
      'nothing orders these two',
    ),
  ];
}

// The names stay on top.
function titles(g) {
  const title = (p, k) =>
    s(
      'text',
      { x: LEFT + k * g.lane + 8, y: 23, class: 'hb-title ' + tone(k) },
      p.name,
      p.role && s('tspan', { class: 'role', dx: 6 }, clipped(p.role, g.characters - p.name.length)),
    );
  const back = s('rect', { x: 0, y: 0, width: g.width, height: 36, class: 'hb-heads' });
  return s('g', { transform: `translate(0 ${box.scrollTop})` }, back, g.f.processes.map(title));
}

function drawLegend(f, orders) {
  const e = f.events[state.step];
  const count = (kind) => orders.filter((order) => order === kind).length;
  const item = (kind, text) =>
    h('span', { class: 'key ' + kind }, h('b', {}, count(kind)), ' ' + text);
  const edge = (kind, text) => h('span', { class: 'key edge ' + kind }, h('i', {}), text);
  legend.replaceChildren(
    h('span', { class: 'say' }, `Event ${state.step + 1}, ${f.name(e.p)}: ${e.text}`),
    item('past', 'happen before'),
    item('apart', 'not ordered with it'),
    item('future', 'happen after'),
    ...(f.events.some((one) => one.rf !== undefined) ? [edge('rf', 'reads from')] : []),
    f.chart ? edge('sync', 'message') : edge('sync', 'lock, start, join, atomic'),
  );
}
