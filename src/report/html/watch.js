// What the variables, mutexes and conditions hold after the selected event.
import { classes, h } from './dom.js';
import { icon } from './icons.js';
import { positionAt } from './histories.js';
import { current, go, state, tone } from './store.js';

const UNKNOWN = { mutex: 'free', condition: 'nobody waits' };
const EARLIER = 3; // values that are shown before the current one
const LONGEST_PAST = 24; // characters of these
const MOST = 200; // objects

export class WatchPanel {
  constructor() {
    this.node = h('section', {
      class: 'panel watch',
      'aria-label': 'Shared variables',
      'data-test': 'watch',
    });
  }

  draw() {
    const f = current();
    const list = objectsToShow(f);
    const nothing = f.chart ? 'There is no state to show.' : 'No shared variable in this finding.';
    this.node.replaceChildren(
      h(
        'div',
        { class: 'panel-head' },
        h('h2', {}, 'Watch'),
        h('span', { class: 'path' }, 'after event ' + (state.step + 1)),
      ),
      list.length
        ? h(
            'div',
            { class: 'scroll' },
            h(
              'table',
              { class: 'vars' },
              h(
                'tbody',
                {},
                list.map((o) => watchRow(f, o)),
              ),
            ),
          )
        : h('p', { class: 'empty' }, nothing),
    );
  }
}

// All of them, or, of many, those that were touched last.
function objectsToShow(f) {
  const all = f.objects.map((_, o) => o);
  if (all.length <= MOST) return all;
  const shown = new Set();
  for (let i = state.step; i >= 0 && shown.size < MOST; --i) {
    if (f.events[i].obj !== undefined) shown.add(f.events[i].obj);
  }
  return [...shown].sort((a, b) => a - b);
}

function watchRow(f, o) {
  const { name, type } = f.objects[o];
  const history = f.history[o];
  const position = positionAt(history, state.step);
  const now = history[position];
  const e = f.events[state.step];
  const shape =
    { mutex: now && now.p !== null ? 'lock' : 'unlock', condition: 'signal' }[type] || 'other';
  return h(
    'tr',
    {
      class: classes(
        now && now.i === state.step && 'changed',
        (e.obj === o || e.mutex === o) && 'touched',
        !now && 'unknown',
      ),
      'data-test': 'watch-row',
      'data-name': name,
    },
    h(
      'th',
      { scope: 'row', title: name },
      h('span', { class: 'type', 'aria-hidden': 'true' }, icon(shape, 12)),
      h('span', { class: 'n' }, name),
    ),
    h(
      'td',
      { title: now?.text },
      earlier(type, history, position),
      h(
        'span',
        { class: 'v' + (type === 'mutex' && now && now.p !== null ? ' ' + tone(now.p) : '') },
        now ? now.text : (UNKNOWN[type] ?? 'not seen yet'),
      ),
    ),
    h('td', { class: 'by' }, putThereBy(f, now)),
  );
}

function earlier(type, history, position) {
  if (position <= 0 || type === 'mutex' || type === 'condition') return null;
  const past = history.slice(Math.max(0, position - EARLIER), position).map(({ text }) => text);
  if (past.join('').length > LONGEST_PAST) return null;
  const more = position > EARLIER ? '\u2026 ' : '';
  return h('span', { class: 'past' }, more + past.join(' \u2192 ') + ' \u2192 ');
}

function putThereBy(f, now) {
  if (!now) return '';
  if (now.i < 0) return h('span', { class: 'init' }, 'initial');
  return now.p === null ? '' : eventLink(f, now.i);
}

// "T1 at 14", which goes there.
export function eventLink(f, i) {
  const { p } = f.events[i];
  return h(
    'button',
    { class: `ref ${tone(p)}`, 'aria-label': f.say(i), onclick: () => go(i) },
    `${f.name(p)} at ${i + 1}`,
  );
}
