// The program: chosen from the folder or the examples, and changed at will. What is changed is a
// copy; the folder stays as it is.
import { h } from './dom.js';
import { fetchProgram } from './server.js';

export class Editor {
  constructor(menu, changed) {
    this.changed = changed;
    const group = (label, prefix, names) =>
      names.length > 0 &&
      h(
        'optgroup',
        { label },
        names.map((name) => h('option', { value: prefix + name }, name)),
      );
    this.choice = h(
      'select',
      { 'aria-label': 'Program', 'data-test': 'program', onchange: () => this.load() },
      group(menu.folder || 'folder', 'folder:', menu.programs),
      group('examples', 'example:', menu.examples),
    );
    this.lines = h('pre', { class: 'line-numbers', 'aria-hidden': 'true' });
    this.text = h('textarea', {
      'aria-label': 'Text of the program',
      'data-test': 'text',
      spellcheck: 'false',
      autocomplete: 'off',
      wrap: 'off',
      oninput: () => this.number(),
      onscroll: () => {
        this.lines.scrollTop = this.text.scrollTop;
      },
    });
    this.node = h(
      'div',
      { class: 'program' },
      h('label', {}, 'Program ', this.choice),
      h('div', { class: 'editor' }, this.lines, this.text),
    );
  }

  get name() {
    return this.choice.value.replace(/^[a-z]+:/, '').split('/').pop();
  }

  async load() {
    const { text } = await fetchProgram(this.choice.value);
    this.text.value = text;
    this.text.scrollTop = 0;
    this.number();
    this.changed();
  }

  number() {
    const count = this.text.value.split('\n').length;
    this.lines.textContent = Array.from({ length: count }, (_, k) => k + 1).join('\n');
  }
}
