// Everything can be done with the keyboard.
import { byId, h } from './dom.js';
import { current, go, set, state } from './store.js';
import { nextVisible } from './rows.js';

const KEYS = [
  ['\u2193 \u2192 j', 'next event'],
  ['\u2191 \u2190 k', 'previous event'],
  ['] [', 'next, previous context switch'],
  ['} {', 'next, previous event of this process'],
  ['a', 'along the arrow: where the value or the lock came from'],
  ['f', 'the failure'],
  ['r', 'point of no return'],
  ['Home End', 'first, last event'],
  ['/', 'search; Enter for the next match'],
  ['1 2 3 \u2026', 'views'],
  ['?', 'this list'],
];

export function buildHelp() {
  const dialog = byId('help');
  const row = ([keys, what]) => [
    h(
      'dt',
      {},
      keys.split(' ').map((key) => h('kbd', {}, key)),
    ),
    h('dd', {}, what),
  ];
  dialog.replaceChildren(
    h('h2', {}, 'Keys'),
    h('dl', {}, KEYS.map(row)),
    h('form', { method: 'dialog' }, h('button', { class: 'quiet' }, 'Close')),
  );
  dialog.addEventListener('click', (e) => {
    if (e.target === dialog) dialog.close();
  });
}

function scan(f, direction, test) {
  for (let k = state.step + direction; k >= 0 && k < f.n; k += direction)
    if (test(f.events[k])) return k;
  return state.step;
}

const same = (f) => (e) => e.p === f.events[state.step].p;
const down = () => nextVisible(state.step, 1);
const up = () => nextVisible(state.step, -1);
const STEPS = {
  ArrowDown: down,
  ArrowRight: down,
  j: down,
  ArrowUp: up,
  ArrowLeft: up,
  k: up,
  PageDown: () => state.step + 15,
  PageUp: () => state.step - 15,
  Home: () => 0,
  End: (f) => f.n - 1,
  ']': (f) => scan(f, 1, (e) => e.switch),
  '[': (f) => scan(f, -1, (e) => e.switch),
  '}': (f) => scan(f, 1, same(f)),
  '{': (f) => scan(f, -1, same(f)),
  f: (f) => f.home,
  r: (f) => (f.noReturn >= 0 ? f.noReturn : state.step),
  a: (f) => {
    const e = f.events[state.step];
    return e.rf ?? e.wokenBy ?? e.after[e.after.length - 1] ?? e.held ?? state.step;
  },
};

export function listenToKeys(views) {
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || byId('help').open) return;
    const { tagName, type } = e.target;
    if ((tagName === 'INPUT' && type !== 'range') || tagName === 'SELECT') return;
    const view = views[Number(e.key) - 1];
    if (/^[1-9]$/.test(e.key) && view) set({ view: view.id }, 'push');
    else if (e.key === '?') byId('help').showModal();
    else if (!current()) return;
    else if (Object.hasOwn(STEPS, e.key)) go(STEPS[e.key](current()));
    else if (e.key === '/') document.querySelector('[type=search]').focus();
    else return;
    e.preventDefault();
  });
}
