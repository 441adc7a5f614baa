// The selected event: its stack, why a switch came before it, and what it has to do with others.
import { h } from './dom.js';
import { report } from './document.js';
import { current, state } from './store.js';
import { chip } from './chips.js';
import { eventLink } from './watch.js';

const MOST_LINKS = 6;

export class StackPanel {
  // `look` shows a place in the source.
  constructor(look) {
    this.look = look;
    this.node = h('section', {
      class: 'panel event',
      'aria-label': 'Selected event',
      'data-test': 'stack',
    });
  }

  draw() {
    const f = current();
    // Both sides of a data race, and all who are stuck, belong together.
    const together = this.together(f);
    this.node.replaceChildren(
      h(
        'div',
        { class: 'panel-head' },
        h('h2', {}, together.length > 1 ? 'Stacks' : 'Stack'),
        h(
          'span',
          { class: 'path' },
          together.map((i) => `${f.name(f.events[i].p)} at ${i + 1}`).join(' and '),
        ),
      ),
      h(
        'div',
        { class: 'scroll' },
        h(
          'div',
          { class: together.length > 1 ? 'pair' : '' },
          together.map((i) => this.stackOf(f, i)),
        ),
        relations(f, state.step),
      ),
    );
  }

  together(f) {
    return f.isRace && f.failing.includes(state.step) ? f.failing : [state.step];
  }

  stackOf(f, i) {
    const e = f.events[i];
    const none =
      e.at || f.chart || f.automata.length ? '' : 'No stack was recorded for this event.';
    return h(
      'div',
      { class: 'one' },
      h('div', { class: 'what' }, chip(f, e, { extra: 'flat' })),
      e.stack.length
        ? h(
            'ol',
            { class: 'frames' },
            e.stack.map((k) => this.frame(f.frames[k])),
          )
        : h('p', { class: 'empty' }, none),
    );
  }

  frame({ name, at }) {
    const place = at && h('span', { class: 'at' }, report.files[at[0]].path + ':' + at[1]);
    return h(
      'li',
      {},
      h(
        'button',
        { class: 'frame', disabled: !at, onclick: () => this.look(at), 'data-test': 'frame' },
        h('span', { class: 'fn' }, name),
        place,
      ),
    );
  }
}

function relations(f, i) {
  const e = f.events[i];
  const out = [];
  const say = (label, list) => {
    if (!list.length) return;
    const more =
      list.length > MOST_LINKS && h('span', { class: 'note' }, `+${list.length - MOST_LINKS}`);
    out.push(
      relation(
        label,
        list.slice(0, MOST_LINKS).map((k) => eventLink(f, k)),
        more,
      ),
    );
  };
  const isStart = (k) => f.events[k].op === 'start';
  const followers = (f.followers.get(i) || []).filter((k) => f.events[k].rf !== i);
  if (e.switch) out.push(relation('switched here because', h('span', {}, e.switch.why)));
  if (e.rf !== undefined) say('reads what was written by', [e.rf]);
  if (e.wokenBy !== undefined) say('was woken by', [e.wokenBy]);
  say('was started by', e.after.filter(isStart));
  say(
    comesAfter(e),
    e.after.filter((k) => k !== e.rf && !isStart(k)),
  );
  say('does not come after', e.notAfter);
  if (e.held !== undefined) say('is held since', [e.held]);
  say('its value is read by', f.readers.get(i) || []);
  say('wakes', f.wakes.get(i) || []);
  say(leadsTo(e), followers);
  return out;
}

const relation = (label, ...what) =>
  h('div', { class: 'rel' }, h('span', { class: 'rel-label' }, label), what);

function comesAfter(e) {
  if (e.op === 'message') return 'was sent by';
  if (e.op === 'lock' || e.op === 'woken') return 'the lock was released by';
  return e.op === 'join' ? 'waited for' : 'comes after';
}
function leadsTo(e) {
  if (e.op === 'message') return 'causes';
  return e.op === 'unlock' || e.op === 'wait' ? 'next locked by' : 'comes before';
}
