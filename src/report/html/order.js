// Happens-before, by vector clocks: clock[i * width + p] is the number of events of p that happen
// before event i or are it.

export function addClocks(f) {
  const { n, width } = f;
  f.clock = new Int32Array(n * width);
  f.index = new Int32Array(n); // of an event among those of its process
  f.level = new Int32Array(n); // length of the longest chain before it
  f.previous = new Int32Array(n).fill(-1); // of the same process
  const latest = new Array(width).fill(-1);
  const count = new Array(width).fill(0);
  f.events.forEach((e, i) => {
    f.previous[i] = latest[e.p];
    for (const a of latest[e.p] >= 0 ? [...e.after, latest[e.p]] : e.after) {
      f.level[i] = Math.max(f.level[i], f.level[a] + 1);
      for (let p = 0; p < width; ++p) {
        f.clock[i * width + p] = Math.max(f.clock[i * width + p], f.clock[a * width + p]);
      }
    }
    f.index[i] = ++count[e.p];
    f.clock[i * width + e.p] = count[e.p];
    latest[e.p] = i;
  });
}

export const happensBefore = (f, a, b) =>
  a !== b && f.clock[b * f.width + f.events[a].p] >= f.index[a];

// How event a stands to event b.
export function orderOf(f, a, b) {
  if (a === b) return 'self';
  if (happensBefore(f, a, b)) return 'past';
  return happensBefore(f, b, a) ? 'future' : 'apart';
}

// The predecessors of an event in other processes that no other predecessor implies; and the write
// that it reads, if nothing else leads there.
export function directEdges(f, i) {
  const e = f.events[i];
  const all = f.previous[i] >= 0 ? [...e.after, f.previous[i]] : e.after;
  return e.after.filter((a) => !all.some((b) => b !== a && happensBefore(f, a, b)));
}
