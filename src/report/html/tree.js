// The tree of the exploration. Only the rows in view are drawn. Of a search that is too large for it
// there is a summary (flame.js).
import { clipped, h, number, s } from './dom.js';
import { report } from './document.js';
import { state, subscribe, tone } from './store.js';
import { TreeShape } from './tree_shape.js';
import {
  account,
  branchingLines,
  ENDS,
  endMark,
  kindOf,
  treeLegend,
  nameOfProcess,
  stepText,
} from './tree_parts.js';
import { buildFlame } from './flame.js';

const LEAF_HEIGHT = 34;
const TOP_SPACE = 34;
const END_WIDTH = 260;

export function buildTree(node) {
  const { tree } = report;
  if (!tree.whole) {
    buildFlame(node);
    return;
  }
  new TreeView(node, new TreeShape(tree));
}

class TreeView {
  constructor(node, shape) {
    this.shape = shape;
    const fails = (at) => kindOf(shape.nodes[at]) === 'fail';
    this.chosen = shape.leaves.find(fails) ?? shape.leaves[0];
    this.svg = s('svg', { class: 'tree', role: 'img', 'aria-label': 'Tree of the exploration' });
    this.box = h(
      'div',
      {
        class: 'tree-box',
        tabindex: 0,
        role: 'region',
        'aria-label': 'Tree of the exploration; arrow keys go to the next execution',
        'data-test': 'tree-box',
        onkeydown: (e) => this.key(e),
      },
      this.svg,
    );
    this.details = h('aside', { class: 'tree-side', 'aria-live': 'polite' });
    node.append(treeLegend(), h('div', { class: 'tree-main' }, this.box, this.details));
    this.box.addEventListener('scroll', () => requestAnimationFrame(() => this.draw()), {
      passive: true,
    });
    new ResizeObserver(() => this.draw()).observe(this.box);
    subscribe((now, before) => {
      if (now.view === 'tree' && before.view !== 'tree') this.show();
    });
    if (state.view === 'tree') this.show();
  }

  key(e) {
    const { leaves, row } = this.shape;
    const at = row[this.chosen];
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      j: at + 1,
      k: at - 1,
      Home: 0,
      End: leaves.length - 1,
    }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    if (leaves[to] !== undefined) this.choose(leaves[to]);
  }

  choose(leaf) {
    this.chosen = leaf;
    this.show();
  }

  show() {
    const y = TOP_SPACE + this.shape.row[this.chosen] * LEAF_HEIGHT;
    const { scrollTop, clientHeight } = this.box;
    if (y < scrollTop + TOP_SPACE || y > scrollTop + clientHeight - LEAF_HEIGHT)
      this.box.scrollTop = y - clientHeight / 2;
    this.draw();
    this.tell();
  }

  tell() {
    const lines = branchingLines();
    this.details.replaceChildren(
      ...[account(this.shape, this.chosen, (leaf) => this.choose(leaf)), lines]
        .flat()
        .filter((part) => part instanceof Node),
    );
  }

  draw() {
    if (!this.box.clientHeight) return;
    const { shape } = this;
    const room = this.box.clientWidth - END_WIDTH - 40;
    this.step = Math.max(130, Math.min(300, room / Math.max(1, shape.columns)));
    this.svg.setAttribute('width', 26 + shape.columns * this.step + END_WIDTH);
    this.svg.setAttribute('height', 2 * TOP_SPACE + shape.leaves.length * LEAF_HEIGHT);
    const low = (this.box.scrollTop - TOP_SPACE) / LEAF_HEIGHT - 2;
    const high = (this.box.scrollTop + this.box.clientHeight - TOP_SPACE) / LEAF_HEIGHT + 2;
    this.lit = new Set([0, ...shape.path(this.chosen)]);
    const edges = [];
    const marks = [];
    for (const at of shape.chain.keys()) {
      const above = shape.above[at];
      const seen = shape.row[above] <= high && shape.row[at] >= low;
      if (at > 0 && seen) edges.push(this.edge(at, above));
      if (shape.row[at] < low || shape.row[at] > high) continue;
      if (at > 0) marks.push(this.label(at, above));
      marks.push(...this.mark(at));
    }
    this.svg.replaceChildren(...edges, ...marks);
  }

  x(at) {
    return 26 + this.shape.column[at] * this.step;
  }
  y(at) {
    return TOP_SPACE + this.shape.row[at] * LEAF_HEIGHT;
  }

  edge(at, above) {
    const [x1, y1, x2, y2] = [this.x(above), this.y(above), this.x(at), this.y(at)];
    const r = Math.min(9, y2 - y1);
    const d =
      y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}V${y2 - r}Q${x1} ${y2} ${x1 + r} ${y2}H${x2}`;
    const first = this.shape.nodes[this.shape.chain.get(at)[0]];
    const lit = this.lit.has(at) ? ' lit' : '';
    return s('path', { d, class: `branch ${tone(first.process)}${lit}` });
  }

  // The first step of the chain, and how many others follow before executions part again.
  label(at, above) {
    const chain = this.shape.chain.get(at);
    const first = this.shape.nodes[chain[0]];
    const more = chain.length > 1 ? ` +${chain.length - 1}` : '';
    const x = this.x(above) + (first.reversed ? 34 : 14);
    const room = Math.floor((this.step - (first.reversed ? 44 : 24)) / 6.7);
    const name = nameOfProcess(first);
    const text = clipped(stepText(first), Math.max(4, room - name.length - 1 - more.length));
    const said = chain.map((k) => `${nameOfProcess(this.shape.nodes[k])} ${stepText(this.shape.nodes[k])}`);
    const group = s(
      'g',
      { class: tone(first.process) },
      s('title', {}, said.slice(0, 40).join('\n')),
      s(
        'text',
        { x, y: this.y(at) - 6, class: 'branch-label' },
        s('tspan', { class: 'mover' }, name),
        s('tspan', { dx: 5 }, text),
        more && s('tspan', { class: 'more' }, more),
      ),
    );
    if (first.reversed) group.append(this.reversal(first, this.x(above) + 22, this.y(at)));
    return group;
  }

  reversal(node, x, y) {
    const [before, after] = node.reversed.map((at) => this.shape.nodes[at]);
    const said =
      `race reversed: ${nameOfProcess(before)} ${stepText(before)} ` +
      `comes before ${nameOfProcess(after)} ${stepText(after)}`;
    return s(
      'g',
      { class: 'reversed', 'data-test': 'reversed' },
      s('title', {}, said),
      s('circle', { cx: x, cy: y, r: 7 }),
      s('path', { d: `M${x - 3.5} ${y - 1.8}h6l-2-2M${x + 3.5} ${y + 1.8}h-6l2 2` }),
    );
  }

  mark(at) {
    const node = this.shape.nodes[at];
    const [x, y] = [this.x(at), this.y(at)];
    if (node.end === undefined) {
      const lit = this.lit.has(at) ? ' lit' : '';
      return [s('circle', { cx: x, cy: y, r: 4, class: 'tree-node' + lit })];
    }
    const kind = kindOf(node);
    const text = node.state || ENDS[node.end]?.[1] || '';
    return [
      s(
        'g',
        {
          class: `leaf ${kind}` + (at === this.chosen ? ' chosen' : ''),
          'data-test': 'leaf',
          'data-kind': kind,
          'data-number': node.number,
          onclick: () => this.choose(at),
        },
        s('title', {}, `Execution ${node.number}: ${ENDS[node.end]?.[1] ?? ''} ${node.state ?? ''}`),
        s('rect', { x: x - 12, y: y - LEAF_HEIGHT / 2, width: END_WIDTH, height: LEAF_HEIGHT, class: 'hot' }),
        endMark(kind, x, y),
        s(
          'text',
          { x: x + 14, y: y + 4 },
          clipped(text, 30),
          s('tspan', { class: 'number', dx: 8 }, '#' + number(node.number)),
        ),
      ),
    ];
  }
}
