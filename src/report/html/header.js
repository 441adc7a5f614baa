// The head of the page: verdict, the finding in a sentence, numbers, the command to run it again.
import { byId, capital, h, number, prose, seconds } from './dom.js';
import { report } from './document.js';
import { findings } from './finding.js';
import { current, set, state, tone } from './store.js';
import { commandLine } from './copy.js';

export function drawHeader() {
  const f = current();
  const said = f ? sentenceOf(f) : capital(report.reason);
  byId('head').replaceChildren(
    h(
      'div',
      { class: 'head-text' },
      crumb(f),
      h('h1', { 'data-test': 'message', title: said }, prose(said)),
      f && circle(f),
    ),
    h(
      'div',
      { class: 'head-facts' },
      h('dl', { class: 'facts' }, facts(f)),
      f && f.replay
        ? commandLine(f.replay, 'replay')
        : report.command && commandLine(report.command, 'command'),
    ),
  );
}

// "assertion `x` fails" needs no second "assertion".
export function sentenceOf(f) {
  return capital(f.message.startsWith(f.kind) ? f.message : f.kind + ': ' + f.message);
}

function crumb(f) {
  return h(
    'div',
    { class: 'crumb' },
    h('span', { class: 'badge ' + report.verdict, 'data-test': 'verdict' }, report.verdict),
    h('span', { class: 'program' }, report.program),
    f && f.at && h('span', { class: 'where' }, 'line ' + f.at[1]),
    findings.length > 1 && pager(),
    h('span', { class: 'brand' }, 'Mazurka ' + report.mazurka_version),
  );
}

function pager() {
  const button = (x, k) =>
    h(
      'button',
      {
        'aria-pressed': k === state.finding,
        'aria-label': `Finding ${k + 1}: ${x.kind}`,
        title: `${x.kind}: ${x.message}`,
        'data-test': 'finding',
        onclick: () => set({ finding: k, step: x.home, hits: [], query: '' }, 'push'),
      },
      k + 1,
    );
  return h(
    'span',
    { class: 'pager', role: 'group', 'aria-label': 'Findings' },
    findings.map(button),
  );
}

function fact(value, label, title) {
  return h('div', { class: 'fact', title }, h('dt', {}, label), h('dd', {}, value));
}

function processorTime() {
  const computed = report.processor_seconds;
  return computed ? `processors computed for ${seconds(computed)}` : undefined;
}

function facts(f) {
  const { executions } = report;
  const list = [];
  if (executions)
    list.push(fact(number(executions), executions === 1 ? 'execution' : 'executions'));
  if (report.technique) list.push(fact(report.technique, 'technique'));
  list.push(fact(seconds(report.seconds), 'exploration', processorTime()));
  if (!f) return list;
  list.push(fact(number(f.n), f.n === 1 ? 'event shown' : 'events shown'));
  if (f.switches !== null) {
    const minimal = f.fewest && h('span', { class: 'min' }, 'minimal');
    const label = f.switches === 1 ? 'context switch' : 'context switches';
    list.push(fact(h('span', {}, number(f.switches), minimal), label, f.summary));
  }
  return list;
}

// Who waits for whom.
function circle(f) {
  if (f.cycle.length < 2) return null;
  const who = (p) => h('b', { class: tone(p) }, f.name(p));
  const links = f.cycle.map((c, k) => [
    k > 0 && h('span', {}, ' \u00b7 '),
    who(c.p),
    c.obj === undefined ? ' waits for ' : [' wants ', h('code', {}, f.object(c.obj)), ', held by '],
    who(c.holder),
  ]);
  return h('div', { class: 'cycle', 'data-test': 'cycle' }, links);
}
