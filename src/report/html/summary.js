// What the verdict rests on, in full: the page of a program without a finding, and a view of the
// others.
import { bytes, capital, h, number, plural, prose, seconds } from './dom.js';
import { report } from './document.js';
import { findings } from './finding.js';
import { set } from './store.js';
import { commandLine } from './copy.js';
import { sentenceOf } from './header.js';

export function buildSummary(node) {
  node.append(
    h(
      'div',
      { class: 'summary', 'data-test': 'summary' },
      h('h2', {}, capital(report.verdict_in_words)),
      !findings.length && h('p', { class: 'reason' }, prose(capital(report.reason)), '.'),
      findings.length > 0 && findingList(),
      repair(report.repair),
      section('What the verdict assumes', report.notes),
      section('Warnings', report.warnings),
      races(),
      tooLarge(report.too_large),
      h('h3', {}, 'Numbers'),
      numbers(),
      commands(),
    ),
  );
}

function section(title, lines) {
  if (!lines.length) return null;
  return [
    h('h3', {}, title),
    h(
      'ul',
      {},
      lines.map((line) => h('li', {}, prose(line))),
    ),
  ];
}

function findingList() {
  const item = (f, k) =>
    h(
      'li',
      {},
      h(
        'button',
        {
          class: 'finding-link',
          onclick: () => set({ finding: k, step: f.home, view: 'timeline' }, 'push'),
        },
        prose(sentenceOf(f)),
      ),
      f.summary && h('div', { class: 'sub' }, f.summary),
      f.endings.map((line) => h('div', { class: 'sub' }, line)),
    );
  return [
    h('h3', {}, plural(findings.length, 'finding')),
    h('ol', { class: 'finding-list' }, findings.map(item)),
  ];
}

function repair(found) {
  if (!found) return null;
  const line = (one) =>
    h(
      'li',
      {},
      h('code', {}, one.place),
      ` ${one.operation} ${one.from} \u2192 ${one.to} `,
      h('code', { class: 'sub' }, one.source),
    );
  return [
    h('h3', {}, 'Memory orders that exclude it'),
    h('p', { 'data-test': 'repair' }, prose(capital(found.in_words)), '.'),
    found.changes.length > 0 && h('ul', {}, found.changes.map(line)),
  ];
}

function races() {
  const list = report.suppressed_races;
  if (!list.length) return null;
  const line = ({ race, by, executions }) =>
    h(
      'li',
      {},
      race,
      h('span', { class: 'sub' }, `  ${by}, in ${plural(executions, 'execution')}`),
    );
  return [h('h3', {}, 'Data races that were accepted'), h('ul', {}, list.map(line))];
}

// What makes a search large: lines of the program by their share of the branches.
function tooLarge(advice) {
  if (!advice) return null;
  const estimate =
    advice.executions > 0
      ? `About ${number(Math.round(advice.executions))} executions in all.`
      : '';
  const share = (x) => Math.round(100 * x) + '\u202f%';
  const line = (one) =>
    h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        h('code', {}, one.place),
        ' ',
        h('span', { class: 'sub' }, one.function),
      ),
      h(
        'td',
        { class: 'wide-col' },
        h(
          'div',
          { class: 'track' },
          h('div', {
            class: 'bar-fill',
            style: { width: share(one.branching).replace('\u202f', '') },
          }),
        ),
      ),
      h('td', { class: 'num' }, share(one.branching)),
      h('td', { class: 'num' }, share(one.events)),
    );
  const head = ['line', 'share of the branches', '', 'of the events'].map((text) =>
    h('th', { scope: 'col' }, text),
  );
  return [
    h('h3', {}, 'Where the executions come from'),
    estimate && h('p', {}, estimate),
    advice.lines.length > 0 &&
      h(
        'table',
        { class: 'bars', 'data-test': 'hot-lines' },
        h('thead', {}, h('tr', {}, head)),
        h('tbody', {}, advice.lines.map(line)),
      ),
    advice.hints.length > 0 &&
      h(
        'ul',
        {},
        advice.hints.map((hint) => h('li', {}, prose(hint))),
      ),
  ];
}

function numbers() {
  const counts = report.statistics;
  const rows = [
    ['Technique', report.technique],
    ['Executions', number(report.executions)],
    ['Begun in vain', number(report.asleep)],
    ['Events', number(report.events)],
    ['Longest execution', counts.deepest ? plural(counts.deepest, 'event') : ''],
    ['Processes at once', counts.processes || ''],
    ['Time', seconds(report.seconds)],
    ['Processor time', report.processor_seconds ? seconds(report.processor_seconds) : ''],
    ['Memory', counts.peak_memory ? bytes(Number(counts.peak_memory)) : ''],
  ];
  const row = ([label, value]) => [h('dt', {}, label), h('dd', {}, value)];
  return h('dl', { class: 'numbers' }, rows.filter(([, value]) => value !== '').map(row));
}

function commands() {
  const out = [];
  if (report.command) out.push(h('h3', {}, 'Again'), commandLine(report.command, 'again'));
  if (report.resume_command)
    out.push(h('h3', {}, 'Go on with the search'), commandLine(report.resume_command, 'resume'));
  return out;
}
