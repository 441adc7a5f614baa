// A native range input (keyboard, touch and screen readers for free) over a strip that shows the
// whole execution: one tick per event, in the row and colour of its process.
import { h } from './dom.js';
import { current, go, state, subscribe, toHash } from './store.js';
import { nextVisible } from './rows.js';
import { copy } from './copy.js';

let range, canvas, count, strip;
const PAD = 8;

export function buildScrubber(node) {
  range = h('input', {
    type: 'range',
    min: 1,
    max: 1,
    value: 1,
    'aria-label': 'Step',
    'data-test': 'range',
    oninput: () => go(+range.value - 1),
  });
  canvas = h('canvas', { 'aria-hidden': 'true' });
  count = h('output', { class: 'count', 'data-test': 'count' });
  strip = h('div', { class: 'strip' }, canvas, h('i', { class: 'head-mark' }), range);
  node.append(stepButtons(), count, strip, failureButton(), linkButton());
  new ResizeObserver(paint).observe(strip);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
  subscribe((now, before) => {
    if (now.finding !== before.finding || now.hits !== before.hits) paint();
    update();
  });
  update();
}

function stepButtons() {
  const button = (label, key, text, target) =>
    h(
      'button',
      {
        class: 'step',
        'aria-label': label,
        title: `${label} (${key})`,
        'data-test': 'step-' + label.toLowerCase(),
        onclick: () => go(target()),
      },
      text,
    );
  return h(
    'div',
    { class: 'steps', role: 'group', 'aria-label': 'Stepping' },
    button('First', 'Home', '\u21e4', () => 0),
    button('Previous', '\u2191', '\u2190', () => nextVisible(state.step, -1)),
    button('Next', '\u2193', '\u2192', () => nextVisible(state.step, 1)),
    button('Last', 'End', '\u21e5', () => current().n - 1),
  );
}

function failureButton() {
  return h(
    'button',
    {
      class: 'quiet',
      title: 'Go to the failure (f)',
      'aria-label': 'Go to the failure',
      'data-test': 'go-failure',
      onclick: () => go(current().home),
    },
    h('span', { class: 'cross' }, '\u2715'),
    h('span', { class: 'wide' }, ' Failure'),
  );
}

function linkButton() {
  return h(
    'button',
    {
      class: 'quiet link',
      title: 'Copy a link to this event',
      'aria-label': 'Copy a link to this event',
      'data-test': 'copy-link',
      onclick: (e) => copy(location.href.split('#')[0] + toHash(), e.currentTarget),
    },
    h('span', { class: 'wide' }, 'Copy link'),
    h('span', { class: 'narrow' }, '#'),
  );
}

function update() {
  const f = current();
  range.max = f.n;
  range.value = state.step + 1;
  range.setAttribute('aria-valuetext', f.say(state.step));
  count.textContent = `${state.step + 1}\u2009/\u2009${f.n}`;
  strip.style.setProperty('--at', f.n > 1 ? state.step / (f.n - 1) : 0);
}

function paint() {
  const f = current();
  const { width, height } = strip.getBoundingClientRect();
  if (!width) return;
  const ratio = devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const c = canvas.getContext('2d');
  c.scale(ratio, ratio);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  const each = (width - 2 * PAD) / Math.max(1, f.n - 1);
  const lane = (height - 8) / f.width;
  const colours = Array.from({ length: 7 }, (_, p) => colour('--p' + p));
  c.fillStyle = colour('--line');
  for (let p = 0; p < f.width; ++p) c.fillRect(PAD, 4 + p * lane + lane / 2, width - 2 * PAD, 1);
  const tick = Math.max(1.5, Math.min(each - 1, 14));
  f.events.forEach((e, i) => {
    c.fillStyle = colours[e.p % 7];
    c.fillRect(PAD + i * each - tick / 2, 4 + e.p * lane + 1, tick, Math.max(2, lane - 2));
  });
  c.fillStyle = colour('--fail');
  const x = PAD + (f.noReturn + 0.5) * each;
  if (f.noReturn >= 0) for (let y = 0; y < height; y += 5) c.fillRect(x - 0.75, y, 1.5, 3);
  for (const i of f.failing) c.fillRect(PAD + i * each - 1.5, 0, 3, height);
  c.fillStyle = colour('--hit');
  for (const i of state.hits) c.fillRect(PAD + i * each - 1, height - 4, 2.5, 4);
}
