// What each object held when: per object a list of {i, text, p}, in the order of events. i is -1
// for a value that was there before; p is who put it there, or who holds the mutex.

export function historiesOf(f) {
  if (f.automata.length) return locationsOf(f);
  const history = f.objects.map(() => []);
  const waiting = new Map(); // condition -> who waits
  const push = (o, i, text, p) => history[o].push({ i, text, p });
  const asleep = (o) => {
    const names = [...(waiting.get(o) || [])].map((p) => f.name(p));
    if (!names.length) return 'nobody waits';
    return names.join(', ') + (names.length === 1 ? ' waits' : ' wait');
  };
  const WHAT = {
    read: (e, i) => {
      if (!history[e.obj].length && e.value !== undefined) push(e.obj, -1, e.value, null);
    },
    write: (e, i) => push(e.obj, i, e.value ?? '?', e.p),
    update: (e, i) => push(e.obj, i, e.value ?? '?', e.p),
    lock: (e, i) => push(e.obj, i, 'held by ' + f.name(e.p), e.p),
    unlock: (e, i) => push(e.obj, i, 'free', null),
    wait: (e, i) => {
      if (e.mutex !== undefined) push(e.mutex, i, 'free', null);
      if (!waiting.has(e.obj)) waiting.set(e.obj, new Set());
      waiting.get(e.obj).add(e.p);
      push(e.obj, i, asleep(e.obj), e.p);
    },
    woken: (e, i) => {
      if (e.mutex !== undefined) push(e.mutex, i, 'held by ' + f.name(e.p), e.p);
      if (waiting.get(e.obj)?.delete(e.p)) push(e.obj, i, asleep(e.obj), e.p);
    },
    signal: (e, i) => {
      for (const p of e.peers) waiting.get(e.obj)?.delete(p);
      push(e.obj, i, asleep(e.obj), e.p);
    },
    message: (e, i) => {
      if (e.value !== undefined) push(e.obj, i, e.value, e.p);
    },
  };
  WHAT.broadcast = WHAT.signal;
  f.events.forEach((e, i) => {
    if (e.obj !== undefined && Object.hasOwn(WHAT, e.op)) WHAT[e.op](e, i);
  });
  return history;
}

// The position in its history of what an object holds after a step; -1: nothing is known yet.
export function positionAt(history, step) {
  let low = 0;
  let high = history.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (history[mid].i <= step) low = mid + 1;
    else high = mid;
  }
  return low - 1;
}

// Of a network: which location each automaton is in.
function locationsOf(f) {
  const entry = (a, location, i, p) => ({
    i,
    p,
    location,
    text: f.automata[a].locations[location],
  });
  const histories = f.automata.map(({ initial }, a) => [entry(a, initial, -1, null)]);
  f.events.forEach((e, i) => {
    for (const [a, , to] of e.moves) histories[a].push(entry(a, to, i, e.p));
  });
  return histories;
}
