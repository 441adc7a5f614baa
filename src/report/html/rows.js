// The rows of the timeline: one per event, and those between them for switches, folds and the point
// of no return. Each kind has a fixed height, so that the place of every row is known without
// drawing it.
import { current, state } from './store.js';

const ROOMY = { event: 30, switch: 26, noReturn: 34, fold: 32, foldOpen: 24, skip: 26, run: 32 };
const COMPACT = { event: 26, switch: 22, noReturn: 28, fold: 28, foldOpen: 20, skip: 22, run: 28 };

export const rows = {
  detail: 'loops', // all, loops (folded), runs
  open: new Set(), // folds that are open ...
  auto: new Set(), // ... of those, because the selected event is inside
  list: [], // {t: kind, i: event, ...}
  tops: new Float64Array(1),
  rowOf: new Int32Array(0), // event -> row
  height: ROOMY,
  total: 0,
};

export const heightOf = (row) => rows.height[row.t];
export const isCompact = () => rows.height === COMPACT;
export function middleOf(i) {
  const r = rows.rowOf[i];
  return rows.tops[r] + heightOf(rows.list[r]) / 2;
}

export function layOutRows(room) {
  const f = current();
  rows.list = [];
  rows.rowOf = new Int32Array(f.n);
  if (rows.detail === 'runs') addRuns(f);
  else addEvents(f, rows.detail === 'loops' ? f.folds : []);
  // Roomy rows where the whole finding then fits into the window, else compact ones.
  const roomy = rows.list.reduce((sum, row) => sum + ROOMY[row.t], 16);
  rows.height = roomy <= room ? ROOMY : COMPACT;
  rows.tops = new Float64Array(rows.list.length + 1);
  rows.list.forEach((row, r) => {
    rows.tops[r + 1] = rows.tops[r] + heightOf(row);
  });
  rows.total = rows.tops[rows.list.length] + 10;
}

function addEvent(f, i, between) {
  const e = f.events[i];
  if (e.skipped) rows.list.push({ t: 'skip', i, n: e.skipped });
  if (e.switch) rows.list.push({ t: 'switch', i });
  if (between) rows.list.push(between);
  rows.rowOf[i] = rows.list.length;
  rows.list.push({ t: 'event', i });
  if (e.noReturn) rows.list.push({ t: 'noReturn', i });
}

function addEvents(f, folds) {
  let k = 0;
  for (let i = 0; i < f.n; ++i) {
    while (k < folds.length && folds[k].to < i) ++k;
    const begins = k < folds.length && folds[k].from === i;
    if (begins && !rows.open.has(k)) {
      if (f.events[i].switch) rows.list.push({ t: 'switch', i });
      rows.rowOf.fill(rows.list.length, i, folds[k].to + 1);
      rows.list.push({ t: 'fold', i, k });
      i = folds[k].to;
    } else {
      addEvent(f, i, begins ? { t: 'foldOpen', i, k } : null);
    }
  }
}

function addRuns(f) {
  for (const run of f.runs) {
    const has = (i) => run.from <= i && i <= run.to;
    if (run.to === run.from || has(state.step) || f.failing.some(has)) {
      for (let i = run.from; i <= run.to; ++i) addEvent(f, i);
      continue;
    }
    if (f.events[run.from].switch) rows.list.push({ t: 'switch', i: run.from });
    rows.rowOf.fill(rows.list.length, run.from, run.to + 1);
    rows.list.push({ t: 'run', i: run.from, run });
    if (has(f.noReturn)) rows.list.push({ t: 'noReturn', i: run.to });
  }
}

// The last row that begins at or above y.
export function rowAt(y) {
  let low = 0;
  let high = rows.tops.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (rows.tops[mid] <= y) low = mid;
    else high = mid - 1;
  }
  return low;
}

export function closeFolds() {
  rows.open.clear();
  rows.auto.clear();
}

const foldWith = (i) => current().folds.findIndex((fold) => fold.from <= i && i <= fold.to);

// Opens the fold that hides an event, and closes it again once the selection has left it, unless it
// was opened by hand; says whether something changed.
export function openFoldOf(i) {
  if (rows.detail !== 'loops') return rows.detail === 'runs';
  let changed = false;
  for (const k of rows.auto) {
    const { from, to } = current().folds[k];
    if (i >= from && i <= to) continue;
    rows.auto.delete(k);
    rows.open.delete(k);
    changed = true;
  }
  const fold = foldWith(i);
  if (fold < 0 || rows.open.has(fold)) return changed;
  rows.open.add(fold);
  rows.auto.add(fold);
  return true;
}

// The next event that is not in a closed fold.
export function nextVisible(i, direction) {
  const f = current();
  let k = i + direction;
  const fold = rows.detail === 'loops' ? foldWith(k) : -1;
  if (fold >= 0 && !rows.open.has(fold)) {
    k = direction > 0 ? f.folds[fold].to + 1 : f.folds[fold].from - 1;
  }
  return k < 0 || k >= f.n ? i : k;
}
