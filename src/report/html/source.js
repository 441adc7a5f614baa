// The source, with the line of each process.
import { h } from './dom.js';
import { report } from './document.js';
import { STATE } from './finding.js';
import { current, go, state, tone } from './store.js';

const WORDS = new Set(
  (
    'alignas alignof auto bool break case catch char class co_await co_return co_yield const ' +
    'constexpr continue default delete do double else enum explicit extern false final float for ' +
    'friend goto if inline int long mutable namespace new noexcept nullptr operator override ' +
    'private protected public return short signed sizeof static struct switch template this ' +
    'throw true try typedef typename union unsigned using virtual void volatile while'
  ).split(' '),
);
const TOKEN = new RegExp(
  [
    /(\/\/.*$|\/\*.*?(?:\*\/|$))/, // a comment
    /("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)/, // a text
    /(^\s*#\s*\w+)/, // a directive
    /([A-Za-z_]\w*)/,
    /(\b\d[\w.']*)/,
  ]
    .map((part) => part.source)
    .join('|'),
  'g',
);
const LONGEST_COLOURED = 400; // characters of a line

// A few classes of words are enough; whatever is none of them stays as it is.
function highlight(text) {
  if (text.length > LONGEST_COLOURED) return [text];
  const out = [];
  let at = 0;
  for (const found of text.matchAll(TOKEN)) {
    const [whole, comment, string, directive, word] = found;
    if (word && !WORDS.has(word)) continue;
    const kind = comment ? 'c' : string ? 's' : directive || word ? 'k' : 'n';
    out.push(text.slice(at, found.index), h('span', { class: 't-' + kind }, whole));
    at = found.index + whole.length;
  }
  out.push(text.slice(at));
  return out;
}

export class SourcePanel {
  shown = -1; // the file whose lines are there
  lines = [];
  marked = [];
  asked = null; // [file, line] that the reader wants to see instead

  constructor() {
    this.node = h('section', {
      class: 'panel source',
      'aria-label': 'Source',
      'data-test': 'source',
    });
  }

  look(at) {
    this.asked = at;
    this.draw();
  }

  draw() {
    const f = current();
    const e = f.events[state.step];
    const file = (this.asked || e.at)?.[0] ?? (this.shown >= 0 ? this.shown : (f.at?.[0] ?? 0));
    if (!report.files[file]) {
      this.node.replaceChildren(
        h('div', { class: 'panel-head' }, h('h2', {}, 'Source')),
        h('p', { class: 'empty' }, 'There is no source to show.'),
      );
      return;
    }
    if (this.shown !== file) this.show(file);
    this.unmark();
    this.markProcesses(f, e, file);
    const line = (this.asked || e.at)?.[1] ?? 0;
    if (this.asked) this.mark(line, '')?.classList.add('asked');
    requestAnimationFrame(() => this.bring(line));
  }

  show(file) {
    const { path, text } = report.files[file];
    this.shown = file;
    this.lines = text
      .replace(/\n$/, '')
      .split('\n')
      .map((content, k) =>
        h(
          'div',
          { class: 'line', 'data-line': k + 1, onclick: () => nextEventAt(file, k + 1) },
          h('span', { class: 'tags' }),
          h('span', { class: 'ln' }, k + 1),
          h('code', {}, content ? highlight(content) : '\u200b'),
        ),
      );
    const missing = h('p', { class: 'empty' }, 'This file is not part of the report.');
    this.code = h(
      'div',
      { class: 'code', tabindex: 0, role: 'region', 'aria-label': 'Source of ' + path },
      text ? this.lines : missing,
    );
    this.node.replaceChildren(
      h('div', { class: 'panel-head' }, h('h2', {}, 'Source'), this.picker(file)),
      this.code,
    );
  }

  picker(file) {
    if (report.files.length === 1) return h('span', { class: 'path' }, report.files[0].path);
    const options = report.files.map(({ path }, k) =>
      h('option', { value: k, selected: k === file }, path),
    );
    return h(
      'select',
      { 'aria-label': 'File', onchange: (e) => this.look([+e.target.value, 1]) },
      options,
    );
  }

  markProcesses(f, e, file) {
    for (const k of e.stack.slice(1)) {
      const { at } = f.frames[k];
      if (at && at[0] === file) this.mark(at[1], 'caller ' + tone(e.p));
    }
    f.where(state.step).forEach((at, p) => {
      const gone = f.state(state.step, p) === STATE.done;
      if (!at || at[0] !== file || p === e.p || gone || f.chart) return;
      this.mark(at[1], 'other ' + tone(p), this.tag(f, p));
    });
    if (e.at && e.at[0] === file) {
      const here = 'here ' + tone(e.p) + (e.fail ? ' fails' : '');
      this.mark(e.at[1], here, this.tag(f, e.p, ' now'))?.setAttribute('aria-current', 'true');
    }
  }

  tag(f, p, extra = '') {
    return h('span', { class: 'tag ' + tone(p) + extra }, f.name(p));
  }

  mark(line, kind, tag) {
    const node = this.lines[line - 1];
    if (!node) return null;
    if (!this.marked.includes(node) || kind.startsWith('here')) node.className = 'line ' + kind;
    this.marked.push(node);
    if (tag) node.firstChild.append(tag);
    return node;
  }

  unmark() {
    for (const node of this.marked) {
      node.className = 'line';
      node.firstChild.replaceChildren();
      node.removeAttribute('aria-current');
    }
    this.marked = [];
  }

  bring(line) {
    const node = this.lines[line - 1];
    if (!node || !this.code.clientHeight) return;
    const y = node.offsetTop - this.code.scrollTop;
    if (y >= 30 && y <= this.code.clientHeight - 60) return;
    this.code.scrollTop = node.offsetTop - this.code.clientHeight * 0.42;
  }
}

// The next event on a line, round and round.
function nextEventAt(file, line) {
  const f = current();
  for (let k = 1; k <= f.n; ++k) {
    const i = (state.step + k) % f.n;
    const { at } = f.events[i];
    if (at && at[0] === file && at[1] === line) return go(i);
  }
}
