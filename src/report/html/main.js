// Puts the page together.
import { byId, h } from './dom.js';
import { report } from './document.js';
import { findings } from './finding.js';
import { current, fromHash, set, state, subscribe } from './store.js';
import { openFoldOf } from './rows.js';
import { drawHeader } from './header.js';
import { buildHelp, listenToKeys } from './keys.js';
import { buildTabs, buildTools } from './toolbar.js';
import { buildTimeline } from './timeline.js';
import { buildSide } from './side.js';
import { buildScrubber } from './scrubber.js';
import { buildGraph } from './graph.js';
import { buildCompare } from './compare.js';
import { buildNetwork } from './network.js';
import { buildTree } from './tree.js';
import { buildSummary } from './summary.js';

const VIEWS = [
  { id: 'timeline', label: 'Timeline', build: buildTimelineView, if: () => findings.length > 0 },
  { id: 'graph', label: 'Graph', build: buildGraph, if: () => findings.length > 0 },
  {
    id: 'network',
    label: 'Network',
    build: buildNetwork,
    if: () => findings.some((f) => f.automata.length),
  },
  { id: 'tree', label: 'Exploration', build: buildTree, if: () => report.tree !== null },
  {
    id: 'techniques',
    label: 'Techniques',
    build: buildCompare,
    if: () => report.comparison.length > 0,
  },
  { id: 'summary', label: 'Summary', build: buildSummary, if: () => true },
].filter((view) => view.if());

function buildTimelineView(node) {
  const timeline = h('div', { class: 'timeline', 'data-test': 'timeline' });
  const side = h('aside', { class: 'side', 'aria-label': 'Details of the selected event' });
  node.append(timeline, side);
  buildTimeline(timeline);
  buildSide(side);
  buildScrubber(byId('scrub'));
}

function showView(now) {
  for (const { id } of VIEWS) {
    const on = id === now.view;
    byId('view-' + id).hidden = !on;
    byId('tab-' + id).setAttribute('aria-selected', on);
    byId('tab-' + id).tabIndex = on ? 0 : -1;
  }
  document.body.dataset.view = now.view;
}

function viewOf(wanted) {
  const usual = findings.length || report.comparison.length ? VIEWS[0].id : 'summary';
  return VIEWS.some(({ id }) => id === wanted) ? wanted : usual;
}

function showState(now, before) {
  now.view = viewOf(now.view);
  showView(now);
  if (now.finding !== before.finding) drawHeader();
  const moved = now.step !== before.step || now.finding !== before.finding;
  if (moved && current()) byId('live').textContent = current().say(now.step);
}

function start() {
  byId('app').hidden = false;
  document.body.classList.toggle('no-finding', !findings.length);
  state.step = findings[0]?.home ?? 0;
  Object.assign(state, fromHash(location.hash));
  state.view = viewOf(state.view);
  if (current()) {
    state.step = Math.min(state.step, current().n - 1);
    openFoldOf(state.step);
  }
  drawHeader();
  buildTabs(VIEWS);
  buildHelp();
  for (const { id } of VIEWS) {
    const panel = {
      id: 'view-' + id,
      class: 'view',
      role: 'tabpanel',
      'aria-labelledby': 'tab-' + id,
      'data-test': 'view-' + id,
    };
    byId('main').append(h('section', panel));
  }
  subscribe(showState);
  showView(state);
  for (const { id, build } of VIEWS) build(byId('view-' + id));
  if (current()) buildTools();
  listenToKeys(VIEWS);
  window.addEventListener('hashchange', () => {
    const to = fromHash(location.hash);
    if (to) set(to);
  });
  set({});
  document.documentElement.dataset.ready = 'true';
}

start();
