// A large search in summary: a block for every point at which executions part that many of them go
// through, as wide as their share, below the one that they come from. A click makes one as wide as
// all.
import { clipped, h, number, plural, s } from './dom.js';
import { report } from './document.js';
import { state, subscribe, tone } from './store.js';
import { branchingLines, nameOfProcess, stepText } from './tree_parts.js';

const BLOCK = 22;

export function buildFlame(node) {
  new Flame(node, report.tree.nodes);
}

class Flame {
  constructor(node, nodes) {
    this.nodes = nodes;
    this.children = nodes.map(() => []);
    this.level = nodes.map(() => 0);
    nodes.forEach((one, at) => {
      if (at === 0) return;
      this.children[one.parent].push(at);
      this.level[at] = this.level[one.parent] + 1;
    });
    this.top = 0;
    this.svg = s('svg', { class: 'flame', role: 'img', 'aria-label': 'Where the executions part' });
    this.head = h('div', { class: 'tree-head', 'data-test': 'tree-head' });
    this.box = h(
      'div',
      {
        class: 'tree-box',
        tabindex: 0,
        role: 'region',
        'aria-label': 'Where the executions part; arrow keys go to a wider or narrower block',
        'data-test': 'flame-box',
        onkeydown: (e) => this.key(e),
      },
      this.svg,
    );
    const lines = branchingLines();
    node.append(
      this.head,
      h('div', { class: 'tree-main' }, this.box, h('aside', { class: 'tree-side' }, lines)),
    );
    new ResizeObserver(() => this.draw()).observe(this.box);
    subscribe((now, before) => {
      if (now.view === 'tree' && before.view !== 'tree') this.draw();
    });
    if (state.view === 'tree') this.draw();
  }

  // Down to the widest child, up to the parent, to the sides.
  key(e) {
    const { parent } = this.nodes[this.top];
    const beside = this.children[parent];
    const at = beside.indexOf(this.top);
    const widest = [...this.children[this.top]].sort(
      (a, b) => this.nodes[b].executions - this.nodes[a].executions,
    )[0];
    const known = ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Escape'];
    if (!known.includes(e.key)) return;
    const to = {
      ArrowDown: widest,
      ArrowUp: parent,
      ArrowLeft: beside[at - 1],
      ArrowRight: beside[at + 1],
      Escape: 0,
    }[e.key];
    e.preventDefault();
    e.stopPropagation();
    if (to !== undefined) this.zoom(to);
  }

  zoom(at) {
    this.top = at;
    this.draw();
  }

  draw() {
    if (!this.box.clientHeight) return;
    const width = this.box.clientWidth - 32;
    const all = this.nodes[this.top].executions;
    const blocks = [];
    let deepest = 0;
    const above = [];
    for (let at = this.top; at > 0; at = this.nodes[at].parent) above.push(this.nodes[at].parent);
    above.reverse().forEach((at, k) => blocks.push(this.block(at, 0, width, k, 'above')));
    const todo = [[this.top, 0, width]];
    while (todo.length) {
      const [at, x, w] = todo.pop();
      const level = above.length + this.level[at] - this.level[this.top];
      deepest = Math.max(deepest, level);
      blocks.push(this.block(at, x, w, level, ''));
      let left = x;
      for (const child of this.children[at]) {
        const wide = (this.nodes[child].executions / all) * width;
        if (wide >= 1) todo.push([child, left, wide]);
        left += wide;
      }
    }
    this.svg.setAttribute('width', width);
    this.svg.setAttribute('height', (deepest + 1) * BLOCK + 8);
    this.svg.replaceChildren(...blocks);
    this.tell();
  }

  block(at, x, w, level, kind) {
    const node = this.nodes[at];
    const name = at === 0 ? 'all' : nameOfProcess(node);
    const text = at === 0 ? plural(node.executions, 'execution') : stepText(node);
    const room = Math.floor((w - 10) / 6.6);
    return s(
      'g',
      {
        class: `block ${at === 0 ? '' : tone(node.process)} ${kind}`,
        'data-test': 'flame-block',
        'data-node': at,
        onclick: () => this.zoom(at),
      },
      s('title', {}, this.say(at)),
      s('rect', { x, y: level * BLOCK, width: Math.max(1, w - 1), height: BLOCK - 1, rx: 2 }),
      room > 3 &&
        s('text', { x: x + 6, y: level * BLOCK + 15 }, clipped(`${name} ${text}`, room)),
    );
  }

  say(at) {
    const node = this.nodes[at];
    const share = ((100 * node.executions) / this.nodes[0].executions).toFixed(1);
    const vain = node.in_vain ? `, ${number(node.in_vain)} of them in vain` : '';
    const step = at === 0 ? '' : `${nameOfProcess(node)} ${stepText(node)}`;
    const place = node.place ? ` (${node.place})` : '';
    const many = `${plural(node.executions, 'execution')}, ${share}\u202f%${vain}`;
    return at === 0 ? many : `${step}${place}, step ${node.depth}: ${many}`;
  }

  tell() {
    this.head.replaceChildren(
      h('span', { class: 'say', 'data-test': 'flame-say' }, this.say(this.top)),
      this.top === 0
        ? h('span', {}, 'The search is too large to draw; this is where most executions part.')
        : h(
            'button',
            { class: 'quiet', 'data-test': 'flame-all', onclick: () => this.zoom(0) },
            'Show all',
          ),
    );
  }
}
