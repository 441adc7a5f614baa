// The outcome as docs/json.md describes it, in the form in which the page draws it: places as
// [file, line], stacks as numbers of frames, and who is stuck in the end as events of their own.

export const report = JSON.parse(document.getElementById('data').textContent);
report.files = report.sources.map(({ file, text }) => ({ path: file, text }));

const fileNumbers = new Map(report.files.map((file, k) => [file.path, k]));

function fileNumber(path) {
  if (!fileNumbers.has(path)) {
    fileNumbers.set(path, report.files.length);
    report.files.push({ path, text: '' });
  }
  return fileNumbers.get(path);
}

// "bank.cpp:14" -> [file, 14]; null: it is no such place.
export function placeOf(text) {
  const parts = /^(.*):(\d{1,9})$/s.exec(text || '');
  return parts ? [fileNumber(parts[1]), Number(parts[2])] : null;
}

class Frames {
  list = [];
  numbers = new Map();

  // "withdraw (bank.cpp:14)"
  number(text) {
    if (!this.numbers.has(text)) {
      const parts = /^(.*) \((.*)\)$/s.exec(text);
      this.numbers.set(text, this.list.length);
      this.list.push({ name: parts ? parts[1] : text, at: parts ? placeOf(parts[2]) : null });
    }
    return this.numbers.get(text);
  }
}

// A thread's head is its name and its function.
function processOf(head) {
  const parts = /^(main|T\d+) (.+)$/s.exec(head);
  return parts ? { name: parts[1], role: parts[2] } : { name: head, role: '' };
}

function switchOf(row) {
  if (!row.event.switch) return null;
  return { kind: row.event.switch, why: row.switch_reason.replace(/ \(locked at .*\)$/, '') };
}

function eventOf(row, i, frames) {
  const { event } = row;
  const earlier = (k) => Number.isInteger(k) && k >= 0 && k < i;
  const at = placeOf(row.place);
  return {
    p: row.process,
    op: event.op,
    text: row.action,
    at,
    note: at ? '' : row.place,
    stack: row.stack.map((text) => frames.number(text)),
    obj: event.object,
    mutex: event.mutex,
    value: event.value,
    peers: event.peers || [],
    after: (event.after || []).filter(earlier),
    notAfter: (event.not_after || []).filter(earlier),
    rf: earlier(row.read_from) ? row.read_from : undefined,
    wokenBy: earlier(event.woken_by) ? event.woken_by : undefined,
    from: row.from,
    moves: event.moves || [],
    switch: switchOf(row),
    skipped: event.left_out || 0,
    folded: row.folded,
    fail: row.failing,
    noReturn: row.no_return,
  };
}

function stuckEvent(stop, frames) {
  return {
    p: stop.process,
    op: 'stuck',
    text: stop.reason,
    at: placeOf(stop.place),
    note: '',
    stack: stop.stack.map((text) => frames.number(text)),
    obj: stop.object ?? undefined,
    peers: [],
    after: [],
    notAfter: [],
    moves: [],
    switch: null,
    skipped: 0,
    folded: '',
    held: stop.held_since ?? undefined,
    holder: stop.holder ?? undefined,
    fail: true,
    noReturn: false,
  };
}

// In a chart a row is read from the one in which its message was sent.
function sentBefore(event) {
  if (event.rf !== undefined && !event.after.includes(event.rf)) event.after.push(event.rf);
  event.rf = undefined;
}

export function findingOf(raw, number) {
  const { story } = raw;
  const frames = new Frames();
  const events = story.rows.map((row, i) => eventOf(row, i, frames));
  const chart = story.layout === 'chart';
  if (chart) events.forEach(sentBefore);
  const delays = story.delays.map(({ process, from, to, reason }) => ({
    p: process,
    from,
    to,
    on: reason,
  }));
  // Since when those are blocked whom no switch has shown to be so is not known.
  for (const stop of story.stuck) {
    if (delays.some((d) => d.p === stop.process && d.to === null)) continue;
    delays.push({ p: stop.process, from: events.length - 1, to: null, on: stop.reason });
  }
  events.push(...story.stuck.map((stop) => stuckEvent(stop, frames)));
  return {
    number,
    kind: raw.kind,
    message: raw.message,
    at: placeOf(raw.place),
    replay: raw.replay,
    summary: story.summary,
    switches: story.switches,
    fewest: story.fewest,
    chart,
    endings: story.stuck.length ? [] : story.endings,
    processes: story.processes.map(processOf),
    // What is to be watched of a network are its automata.
    objects: story.automata.length
      ? story.automata.map(({ name }) => ({ name, type: 'other' }))
      : story.objects,
    automata: story.automata,
    frames: frames.list,
    blocked: delays,
    cycle: circleOf(story.stuck),
    events,
  };
}

// Who waits for each other in a circle: follow the holders until one comes again.
function circleOf(stuck) {
  const of = new Map(stuck.map((stop) => [stop.process, stop]));
  for (const start of stuck) {
    const circle = [];
    for (let at = start; at && circle.length <= stuck.length; at = of.get(at.holder)) {
      circle.push({ p: at.process, obj: at.object ?? undefined, holder: at.holder });
      if (at.holder === start.process) return circle;
    }
  }
  return [];
}
