// An event in a few words: verb, object, value.
import { h } from './dom.js';
import { icon } from './icons.js';
import { tone } from './store.js';

const VERBS = { wait: 'wait on', woken: 'woken', failure: '', stuck: '', message: '', other: '' };

const word = (kind, text) => h('span', { class: kind }, text);

// `short`: names without what can be told from the rest.
export function describe(f, e, short = false) {
  const nameOf = (o) => (short ? f.shortName(o) : f.object(o));
  if (e.op === 'stuck') return describeStuck(f, e, nameOf);
  if (e.op === 'start' || e.op === 'join') {
    return [word('verb', e.op), word('name', e.peers.map((p) => f.name(p)).join(', '))];
  }
  if (e.obj === undefined || e.op === 'message') return [word('name', e.text)];
  const verb = VERBS[e.op] ?? e.op;
  const parts = [word('verb', verb), word('name', nameOf(e.obj))];
  if (e.op === 'read' && / is .*, not /.test(e.text)) return [word('name', e.text)];
  if (e.value !== undefined) {
    const writes = e.op === 'write' || e.op === 'update';
    parts.push(word('eq', writes ? '\u2190' : '='), word('value', e.value));
  }
  if (e.op === 'wait' && e.mutex !== undefined)
    parts.push(word('note', 'releasing ' + nameOf(e.mutex)));
  if (e.op === 'woken' && e.mutex !== undefined)
    parts.push(word('note', nameOf(e.mutex) + ' held again'));
  const wakes = e.op === 'signal' || e.op === 'broadcast';
  if (wakes && e.peers.length)
    parts.push(word('note', 'wakes ' + e.peers.map((p) => f.name(p)).join(', ')));
  else if (e.op === 'signal') parts.push(word('note', 'nobody waits'));
  return parts;
}

function describeStuck(f, e, nameOf) {
  if (e.obj === undefined) return [word('name', e.text)];
  const holder =
    e.holder === undefined
      ? ''
      : e.holder === e.p
        ? 'held by itself'
        : 'held by ' + f.name(e.holder);
  return [word('verb', 'wants'), word('name', nameOf(e.obj)), holder && word('note', holder)];
}

const shapeOf = (e) =>
  e.fail && e.op !== 'stuck' && e.op !== 'read' && e.op !== 'write' ? 'failure' : e.op;

export function chip(f, e, { short, style, extra = '' } = {}) {
  return h(
    'span',
    {
      class: `chip ${e.op} ${tone(e.p)} ${extra}` + (e.fail ? ' fail' : ''),
      style,
      title: `${f.name(e.p)}: ${e.text}`,
    },
    icon(shapeOf(e)),
    describe(f, e, short),
  );
}
