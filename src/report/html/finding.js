// What follows from the data of one finding: who is in which state when, what a variable holds at a
// step, which events are related. Everything is computed once, in O(events x processes).
import { findingOf, report } from './document.js';
import { addClocks } from './order.js';
import { foldsOf, runsOf } from './folds.js';
import { historiesOf } from './histories.js';

export const STATE = { none: 0, ready: 1, run: 2, blocked: 3, done: 4 };

export class Finding {
  constructor(raw) {
    Object.assign(this, raw);
    this.n = this.events.length;
    this.width = this.processes.length;
    this.relate();
    this.live();
    addClocks(this);
    this.history = historiesOf(this);
    this.folds = foldsOf(this);
    this.runs = runsOf(this);
    this.failing = this.events.map((e, i) => (e.fail ? i : -1)).filter((i) => i >= 0);
    this.noReturn = this.events.findIndex((e) => e.noReturn);
    const inCircle = this.failing.find((i) => this.cycle.some((c) => c.p === this.events[i].p));
    this.home = inCircle ?? this.failing[this.failing.length - 1] ?? this.n - 1;
    this.isRace = this.kind === 'data race' && this.failing.length === 2;
  }

  name(p) {
    return p === null || p === undefined ? '' : this.processes[p].name;
  }
  object(o) {
    return o === undefined ? '' : this.objects[o].name;
  }
  // The last part of a name where that is enough to tell it from the others.
  shortName(o) {
    if (!this.shorts) {
      const last = this.objects.map((x) => x.name.split(/\.|::|->/).pop() || x.name);
      const alone = (k) => last.indexOf(last[k]) === last.lastIndexOf(last[k]);
      this.shorts = this.objects.map((x, k) => (alone(k) ? last[k] : x.name));
    }
    return this.shorts[o];
  }
  // About how wide the widest chip of the last lane is, in pixels.
  widestChip() {
    if (this.widest === undefined) {
      const lengths = this.events.filter((e) => e.p === this.width - 1).map((e) => e.text.length);
      this.widest =
        52 +
        7 *
          Math.min(
            40,
            lengths.reduce((most, x) => Math.max(most, x), 0),
          );
    }
    return this.widest;
  }

  relate() {
    this.readers = new Map(); // write -> reads that see it
    this.followers = new Map(); // event -> events that come after it in another process
    this.wakes = new Map(); // signal -> who wakes up
    const put = (map, from, to) => (map.has(from) ? map.get(from).push(to) : map.set(from, [to]));
    this.events.forEach((e, i) => {
      if (e.rf !== undefined) put(this.readers, e.rf, i);
      if (e.wokenBy !== undefined) put(this.wakes, e.wokenBy, i);
      for (const a of e.after) put(this.followers, a, i);
    });
  }

  // The arrows of one event: {from, to, kind, out}
  arrows(i) {
    const e = this.events[i];
    const list = [];
    const racing = (k) => this.isRace && e.fail && this.events[k].fail; // has its own arrow
    if (e.rf !== undefined && !racing(e.rf)) list.push({ from: e.rf, to: i, kind: 'rf' });
    for (const a of e.after) if (a !== e.rf) list.push({ from: a, to: i, kind: 'sync' });
    if (e.wokenBy !== undefined) list.push({ from: e.wokenBy, to: i, kind: 'sync' });
    if (e.held !== undefined) list.push({ from: e.held, to: i, kind: 'held' });
    for (const r of this.readers.get(i) || []) {
      if (!racing(r)) list.push({ from: i, to: r, kind: 'rf', out: true });
    }
    for (const w of this.wakes.get(i) || []) list.push({ from: i, to: w, kind: 'sync', out: true });
    for (const f of this.followers.get(i) || []) {
      if (this.events[f].rf !== i) list.push({ from: i, to: f, kind: 'sync', out: true });
    }
    return list.slice(0, 24);
  }

  // The state of every process at every event.
  live() {
    const { n, width, events, chart } = this;
    this.first = new Array(width).fill(-1);
    this.last = new Array(width).fill(-1);
    const born = new Array(width).fill(-1);
    events.forEach((e, i) => {
      if (this.first[e.p] < 0) this.first[e.p] = i;
      this.last[e.p] = i;
      if (e.op === 'start') for (const t of e.peers) born[t] = i;
    });
    const ended = this.endedProcesses();
    this.states = new Uint8Array(n * width);
    for (let p = 0; p < width; ++p) {
      let from = 0;
      if (!chart && born[p] >= 0) from = born[p] + 1;
      else if (!chart && p > 0 && !this.automata.length)
        from = this.first[p] < 0 ? n : this.first[p];
      for (let i = from; i < n; ++i) {
        const done = !chart && ended[p] && i > this.last[p];
        this.states[i * width + p] = done ? STATE.done : STATE.ready;
      }
    }
    this.blocks = new Map(); // first row of a blocked interval -> what it waits for
    for (const b of this.blocked) {
      for (let i = b.from + 1; i < (b.to ?? n); ++i) this.states[i * width + b.p] = STATE.blocked;
      this.blocks.set((b.from + 1) * width + b.p, b.on);
    }
    events.forEach((e, i) => {
      if (e.op !== 'stuck') this.states[i * width + e.p] = STATE.run;
    });
  }
  // It is known that a process has ended if a switch or a join says so.
  endedProcesses() {
    const ended = new Array(this.width).fill(false);
    this.events.forEach((e, i) => {
      const before = i > 0 ? this.events[i - 1].p : e.p;
      if (e.switch?.kind === 'ended' && this.last[before] === i - 1) ended[before] = true;
      if (e.op === 'join') for (const t of e.peers) ended[t] = true;
    });
    return ended;
  }

  state(i, p) {
    return i < 0 || i >= this.n ? STATE.none : this.states[i * this.width + p];
  }
  waitsFor(i, p) {
    const within = (b) => b.p === p && b.from < i && (b.to === null || i < b.to);
    return this.blocked.findLast(within)?.on ?? null;
  }

  // The line of each process at a step; those who are stuck are so at the same time.
  where(step) {
    const end = this.events[step].op === 'stuck' ? this.n - 1 : step;
    const found = new Array(this.width).fill(null);
    let missing = this.width;
    for (let i = end; i >= 0 && i > end - 4000 && missing > 0; --i) {
      const { p, at } = this.events[i];
      if (!at || found[p]) continue;
      found[p] = at;
      --missing;
    }
    return found;
  }

  // In words, for titles and screen readers.
  say(i) {
    const e = this.events[i];
    const at = e.at ? `, ${report.files[e.at[0]].path} line ${e.at[1]}` : '';
    const from =
      e.from !== null && e.from !== undefined && e.from !== e.p ? ` from ${this.name(e.from)}` : '';
    const fails = e.fail ? '. This is where it fails.' : '';
    return `Event ${i + 1} of ${this.n}, ${this.name(e.p)}: ${e.text}${from}${at}${fails}`;
  }

  // The events that have all the words.
  matches(query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const hits = [];
    this.events.forEach((e, i) => {
      const { name, role } = this.processes[e.p];
      const place = e.at ? report.files[e.at[0]].path + ':' + e.at[1] : e.note;
      const hay = [name, role, e.op, e.text, place].join(' ').toLowerCase();
      if (words.every((w) => hay.includes(w))) hits.push(i);
    });
    return hits;
  }
}

export const findings = report.findings.map((raw, k) => new Finding(findingOf(raw, k + 1)));
