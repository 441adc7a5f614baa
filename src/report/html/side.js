// The panels beside the timeline; on a narrow screen one of them, below.
import { h } from './dom.js';
import { report } from './document.js';
import { subscribe } from './store.js';
import { SourcePanel } from './source.js';
import { WatchPanel } from './watch.js';
import { StackPanel } from './stack.js';

const PANELS = [
  ['source', 'Source'],
  ['watch', 'Watch'],
  ['event', 'Stack'],
];

export function buildSide(node) {
  const source = new SourcePanel();
  const panels = [source, new WatchPanel(), new StackPanel((at) => source.look(at))];
  const choose = (id) => {
    node.dataset.show = id;
    PANELS.forEach(([other], k) => tabs.children[k].setAttribute('aria-pressed', other === id));
    source.draw();
  };
  // Without a source there is more room for what there is.
  const sources = report.files.length > 0;
  node.classList.toggle('no-source', !sources);
  node.dataset.show = sources ? 'source' : 'watch';
  const tabs = h(
    'div',
    { class: 'panel-tabs', role: 'group', 'aria-label': 'Panel' },
    PANELS.map(([id, label]) =>
      h('button', { 'aria-pressed': id === node.dataset.show, onclick: () => choose(id) }, label),
    ),
  );
  node.append(tabs, ...panels.map((panel) => panel.node));
  const draw = () => panels.forEach((panel) => panel.draw());
  subscribe((now, before) => {
    if (now.step === before.step && now.finding === before.finding) return;
    source.asked = null;
    draw();
  });
  draw();
}
