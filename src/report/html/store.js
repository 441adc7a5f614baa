// The one state of the page: which finding, which event, which view. Views subscribe and redraw.
import { findings } from './finding.js';

const listeners = [];
export const state = { finding: 0, step: 0, view: 'timeline', hits: [], query: '' };

export const current = () => findings[state.finding];
export const subscribe = (listener) => listeners.push(listener);
export const tone = (p) => 'p' + (p % 7); // the colour of a process

export function set(change, how = 'replace') {
  const before = { ...state };
  Object.assign(state, change);
  const f = current();
  if (f) state.step = Math.max(0, Math.min(f.n - 1, state.step));
  // Browsers limit how often the address may change, and it is slow: once stepping has come to rest.
  clearTimeout(pending);
  if (how === 'push') writeAddress('pushState');
  else pending = setTimeout(writeAddress, 200, 'replaceState');
  for (const listener of listeners) listener(state, before);
}

export const go = (step, how) => set({ step }, how);

let pending = 0;
function writeAddress(method) {
  const hash = toHash();
  if (hash === location.hash) return;
  try {
    history[method](null, '', hash);
  } catch {
    // A sandboxed frame, or too often.
  }
}

// #3.17: the 17th event of the third finding; #3.17/graph: in another view.
export function toHash() {
  const view = state.view === 'timeline' ? '' : '/' + state.view;
  return current() ? `#${state.finding + 1}.${state.step + 1}${view}` : '#' + state.view;
}

export function fromHash(hash) {
  const only = /^#([a-z]+)$/.exec(hash);
  if (only) return { view: only[1] };
  const parts = /^#(\d{1,6})(?:\.(\d{1,9}))?(?:\/([a-z]+))?$/.exec(hash);
  if (!parts || !findings.length) return null;
  const finding = Math.min(findings.length, Math.max(1, +parts[1])) - 1;
  const step = parts[2] ? Math.max(1, +parts[2]) - 1 : findings[finding].home;
  return { finding, step, view: parts[3] || 'timeline' };
}
