// What can be folded: what the checker has marked (the preparation, what a library does inside of a
// call), and rounds of a loop that repeat, of which the last stays visible. What fails never is.

export function foldsOf(f) {
  if (f.chart) return [];
  const folds = markedFolds(f);
  const taken = new Uint8Array(f.n);
  for (const { from, to } of folds) taken.fill(1, from, to + 1);
  return [...folds, ...repeats(f, taken)].sort((a, b) => a.from - b.from);
}

// Here one can scroll: what is left out of a table for its length alone is shown.
const isForLength = (text) => / in the middle( and |$)/.test(text);

function markedFolds(f) {
  const folds = [];
  for (let from = 0; from < f.n;) {
    const { folded } = f.events[from];
    let to = from;
    while (to + 1 < f.n && f.events[to + 1].folded === folded) ++to;
    if (folded && !isForLength(folded)) folds.push({ from, to, label: folded, note: '' });
    from = to + 1;
  }
  return folds;
}

const LONGEST_ROUND = 64;

function repeats(f, taken) {
  const { n, events } = f;
  const kinds = kindsOf(f);
  const fixed = (i) => events[i].fail || events[i].noReturn || taken[i];
  const folds = [];
  for (let i = 0; i < n;) {
    const found = roundAt(kinds, i);
    if (!found) {
      ++i;
      continue;
    }
    const to = i + found.length * (found.rounds - 1) - 1;
    let clear = to > i;
    for (let k = i; k <= to && clear; ++k) clear = !fixed(k);
    if (clear) {
      const who = new Set(events.slice(i, i + found.length).map((e) => f.name(e.p)));
      const label =
        found.rounds === 2 ? '1 round like the next' : `${found.rounds - 1} rounds like the next`;
      folds.push({ from: i, to, label, note: ` of ${[...who].join(', ')}` });
    }
    i += found.length * found.rounds;
  }
  return folds;
}

// Events of one kind: the same process does the same to an object of that name at the same place.
function kindsOf(f) {
  const numbers = new Map();
  return f.events.map((e) => {
    const object = f.object(e.obj).replace(/\[\d+\]/g, '[]');
    const key = [e.p, e.op, object, e.at ? e.at.join(':') : e.text].join('|');
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key);
  });
}

// The shortest round that repeats from here on: three times, or twice if it is long.
function roundAt(kinds, i) {
  const n = kinds.length;
  for (let length = 1; length <= LONGEST_ROUND && i + 2 * length <= n; ++length) {
    if (kinds[i] !== kinds[i + length]) continue;
    let end = i;
    while (end + length < n && kinds[end] === kinds[end + length]) ++end;
    const rounds = Math.floor((end + length - i) / length);
    if (rounds >= 3 || (rounds === 2 && length >= 6)) return { length, rounds };
  }
  return null;
}

// Stretches without a context switch.
export function runsOf(f) {
  const runs = [];
  f.events.forEach((e, i) => {
    const last = runs[runs.length - 1];
    if (!last || e.switch || e.skipped || e.p !== last.p) runs.push({ from: i, to: i, p: e.p });
    else last.to = i;
  });
  return runs;
}
