// Time runs downwards, one lane per process, one event per row. Only rows in view exist in the page.
import { h, s } from './dom.js';
import { current, state, subscribe } from './store.js';
import { closeFolds, isCompact, layOutRows, middleOf, openFoldOf, rowAt, rows } from './rows.js';
import { laneHeads, lanes, measureLanes, xOf } from './lanes.js';
import { rowNode } from './row_nodes.js';
import { arrowNodes } from './arrows.js';

const PAPER = 700; // width on paper
const MOST_PRINTED = 3000; // rows
const BEYOND = 300; // pixels that are drawn above and below what is seen

let root, scroller, inner, heads, layer, arrowLayer;
let printing = false;
let drawn = { first: 0, last: 0 };
// Sizes and the scroll position are kept here: to ask the page for them would make it lay out anew
// at every step.
const seen = { height: 0, width: 0, head: 0, top: 0, left: 0 };

export function buildTimeline(node) {
  root = node;
  heads = h('div', { class: 'heads', 'data-test': 'lane-heads' });
  arrowLayer = s('svg', { class: 'arrows', 'aria-hidden': 'true' });
  layer = h('div', { class: 'rows' });
  inner = h('div', { class: 'inner' }, layer, arrowLayer);
  scroller = h(
    'div',
    {
      class: 'scroller',
      id: 'timeline-list',
      role: 'listbox',
      tabindex: 0,
      'aria-label': 'Events in the order in which they happened',
      'data-test': 'timeline-list',
    },
    heads,
    inner,
  );
  root.append(scroller);
  followScrolling();
  new ResizeObserver(() => layOut('auto')).observe(scroller);
  window.addEventListener('beforeprint', () => print(true));
  window.addEventListener('afterprint', () => print(false));
  subscribe(follow);
  layOut('center');
}

function followScrolling() {
  let queued = false;
  const listener = () => {
    seen.top = scroller.scrollTop;
    seen.left = scroller.scrollLeft;
    if (queued) return;
    queued = true;
    requestAnimationFrame(() => {
      queued = false;
      drawRows(false);
    });
  };
  scroller.addEventListener('scroll', listener, { passive: true });
}

function follow(now, before) {
  const other = now.finding !== before.finding;
  const moved = now.step !== before.step || other;
  if (other) {
    closeFolds();
    measure();
  }
  if (moved && (openFoldOf(now.step) || other)) arrange();
  drawAll();
  if (moved || now.view !== before.view) reveal('near');
}

export function setDetail(detail) {
  rows.detail = detail;
  closeFolds();
  openFoldOf(state.step);
  layOut('center');
}

function print(on) {
  printing = on;
  layOut('auto');
}

function layOut(where) {
  measure();
  arrange();
  drawAll();
  reveal(where);
}

function measure() {
  seen.height = scroller.clientHeight;
  seen.width = scroller.clientWidth;
  seen.head = heads.offsetHeight || 50;
  seen.top = scroller.scrollTop;
  seen.left = scroller.scrollLeft;
  measureLanes(printing ? PAPER : seen.width);
  root.style.setProperty('--number', lanes.number - 12 + 'px');
  root.classList.toggle('terse', lanes.terse);
  root.classList.toggle('dense', lanes.dense);
  inner.style.width = heads.style.width = lanes.width + 'px';
  arrowLayer.setAttribute('width', lanes.width);
}

function arrange() {
  layOutRows(printing ? 0 : seen.height - 60);
  root.classList.toggle('compact', isCompact());
  inner.style.height = rows.total + 'px';
  arrowLayer.setAttribute('height', rows.total);
}

function drawAll() {
  if (!printing && !seen.height) return;
  drawRows(true);
  heads.replaceChildren(...laneHeads());
  arrowLayer.replaceChildren(...arrowNodes());
  scroller.setAttribute('aria-activedescendant', 'e' + (state.step + 1));
}

function drawRows(anew) {
  let first = 0;
  let last = Math.min(rows.list.length, MOST_PRINTED);
  if (!printing) {
    if (!seen.height) return;
    first = rowAt(seen.top - BEYOND);
    last = Math.min(rows.list.length, rowAt(seen.top + seen.height + BEYOND) + 1);
  }
  if (!anew && first >= drawn.first && last <= drawn.last) return;
  if (!anew && !printing) {
    first = Math.max(0, first - 10);
    last = Math.min(rows.list.length, last + 10);
  }
  drawn = { first, last };
  const related = new Set(
    current()
      .arrows(state.step)
      .flatMap(({ from, to }) => [from, to]),
  );
  const nodes = [];
  for (let r = first; r < last; ++r) nodes.push(rowNode(r, related, redraw));
  layer.replaceChildren(...nodes);
}

function redraw() {
  arrange();
  drawAll();
}

// Scrolls so that the selected event is seen.
export function reveal(how) {
  if (!seen.height || printing) return;
  const y = middleOf(state.step);
  const height = seen.height - seen.head;
  const at = y - seen.top;
  if (how === 'center' || at < 40 || at > height - 30) {
    scroller.scrollTop = Math.max(0, y - height * 0.45);
    seen.top = scroller.scrollTop;
  }
  const x = xOf(current().events[state.step].p);
  const beside = x < seen.left + 30 || x + lanes.lane > seen.left + seen.width;
  if (lanes.width > seen.width && beside) {
    scroller.scrollLeft = Math.max(0, x - seen.width / 3);
    seen.left = scroller.scrollLeft;
  }
  drawRows(false);
}
