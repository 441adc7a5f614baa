// The automata of a network, each with the location that it is in after the selected event, and the
// edges that the event takes.
import { clipped, h, s } from './dom.js';
import { positionAt } from './histories.js';
import { current, state, subscribe, tone } from './store.js';

const ROW_HEIGHT = 58;
const COLUMN = 128;
const MOST_DRAWN = 80; // locations of one automaton
const CHARACTERS = 16;

let cards;

export function buildNetwork(node) {
  cards = h('div', {
    class: 'network',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Network; arrow keys step',
  });
  node.append(cards);
  subscribe((now) => {
    if (now.view === 'network') drawNetwork();
  });
}

// Clients, which have a lane, first.
function drawNetwork() {
  const f = current();
  const moves = new Map(
    f.events[state.step].moves.map(([automaton, from, to]) => [automaton, { from, to }]),
  );
  const order = f.automata
    .map((_, a) => a)
    .sort((a, b) => f.automata[a].server - f.automata[b].server);
  cards.replaceChildren(stepHead(), ...order.map((a) => automatonCard(f, a, moves.get(a))));
}

function automatonCard(f, a, move) {
  const automaton = f.automata[a];
  const lane = f.processes.findIndex(({ name }) => name === automaton.name);
  const at = locationAt(f, a, state.step);
  const colour = lane >= 0 ? tone(lane) : '';
  return h(
    'figure',
    {
      class: `automaton ${colour}` + (move ? ' moves' : ''),
      'data-test': 'automaton',
      'data-name': automaton.name,
      'data-location': automaton.locations[at],
    },
    h(
      'figcaption',
      {},
      h('b', {}, automaton.name),
      h('span', { class: 'note' }, ' in '),
      h('code', {}, automaton.locations[at]),
    ),
    automaton.locations.length <= MOST_DRAWN && automatonDrawing(automaton, at, move),
  );
}

export function locationAt(f, a, step) {
  const history = f.history[a];
  return history[positionAt(history, step)].location;
}

// Locations in rows, by how many steps they are from the initial one.
function placesOf({ locations, initial, edges }, left) {
  const depth = new Array(locations.length).fill(-1);
  depth[initial] = 0;
  const queue = [initial];
  for (const at of queue) {
    for (const [from, , to] of edges) {
      if (from !== at || depth[to] >= 0) continue;
      depth[to] = depth[at] + 1;
      queue.push(to);
    }
  }
  const used = [];
  return depth.map((d) => {
    const row = d < 0 ? 0 : d;
    used[row] = (used[row] ?? -1) + 1;
    return { x: left + used[row] * COLUMN, y: 24 + row * ROW_HEIGHT };
  });
}

function automatonDrawing(automaton, at, move) {
  const edges = joinedEdges(automaton.edges);
  const label = ({ actions }) => clipped(actions.join(', '), 2 * CHARACTERS);
  const room = 6.5 * Math.max(0, ...edges.map((edge) => label(edge).length)) + 20;
  const isBack = ({ from, to }) => edges.some((other) => other.from === to && other.to === from);
  const places = placesOf(automaton, Math.max(70, edges.some(isBack) ? room : 0));
  const width = Math.max(...places.map(({ x }) => x)) + Math.max(70, room + 30);
  const height = Math.max(...places.map(({ y }) => y)) + 26;
  const out = [];
  for (const edge of edges) {
    const taken = move && move.from === edge.from && move.to === edge.to;
    out.push(...stepEdge(places[edge.from], places[edge.to], label(edge), isBack(edge), taken));
  }
  automaton.locations.forEach((name, k) => out.push(locationNode(places[k], name, k === at)));
  return s('svg', { width, height, class: 'locations', 'aria-hidden': 'true' }, ...out);
}

// One for all drawings.
function stepHead() {
  const size = { viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 9, markerHeight: 9 };
  const shape = s('path', { d: 'M0 .5L7.5 4L0 7.5z', class: 'hb-head' });
  const marker = { id: 'network-head', orient: 'auto', markerUnits: 'userSpaceOnUse', ...size };
  const hidden = { width: 0, height: 0, class: 'sr', 'aria-hidden': 'true' };
  return s('svg', hidden, s('defs', {}, s('marker', marker, shape)));
}

// Edges between the same two locations are one, with all their actions.
function joinedEdges(edges) {
  const between = new Map();
  for (const [from, action, to] of edges) {
    const key = from + ' ' + to;
    if (!between.has(key)) between.set(key, { from, to, actions: [] });
    between.get(key).actions.push(action);
  }
  return [...between.values()];
}

// Downwards straight, upwards and sideways beside that. Of two between the same locations the one
// that leads down has its label on the left.
function stepEdge(a, b, label, isBack, taken) {
  const kind = taken ? ' taken' : '';
  const down = b.y > a.y;
  const bend = a.x !== b.x ? 14 : down ? 0 : 40;
  const [y1, y2] =
    a === b ? [a.y - 6, a.y + 6] : [a.y + (down ? 13 : -13), b.y + (down ? -13 : 13)];
  const [x, y] = [(a.x + b.x) / 2, (y1 + y2) / 2];
  const left = isBack && down;
  const place = {
    x: x + (left ? -6 : bend * 0.75 + 6),
    y: y + 4,
    'text-anchor': left ? 'end' : 'start',
  };
  const d = `M${a.x} ${y1}Q${x + bend * 1.5} ${y} ${b.x} ${y2}`;
  return [
    s('path', { d, class: 'step-edge' + kind, 'marker-end': 'url(#network-head)' }),
    s('text', { ...place, class: 'step-label' + kind }, label),
  ];
}

function locationNode({ x, y }, name, here) {
  const width = Math.min(CHARACTERS, name.length) * 7 + 18;
  return s(
    'g',
    { class: 'location' + (here ? ' at' : '') },
    s('title', {}, name),
    s('rect', { x: x - width / 2, y: y - 12, width, height: 24, rx: 12 }),
    s('text', { x, y: y + 4, 'text-anchor': 'middle' }, clipped(name, CHARACTERS)),
  );
}
