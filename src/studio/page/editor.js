// The program: chosen from the folder or the examples, and changed at will. What is changed is a
// copy; the folder stays as it is.
import { h } from './dom.js';
import { fetchProgram } from './server.js';

export const fileName = (choice) => choice.replace(/^[a-z]+:/, '').split('/').pop();

export function programGroups(menu) {
  const group = (label, prefix, names) =>
    names.length > 0 &&
    h(
      'optgroup',
      { label },
      names.map((name) => h('option', { value: prefix + name }, name)),
    );
  return [
    group(menu.folder || 'folder', 'folder:', menu.programs),
    group('examples', 'example:', menu.examples),
  ];
}

export class Editor {
  constructor(menu, changed) {
    this.changed = changed;
    this.choice = h(
      'select',
      { 'aria-label': 'Program', 'data-test': 'program', onchange: () => this.load() },
      programGroups(menu),
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
    return fileName(this.choice.value);
  }

  // Of the one that is shown as it was changed, of others as it is there.
  async program(choice) {
    const text =
      choice === this.choice.value ? this.text.value : (await fetchProgram(choice)).text;
    return { name: fileName(choice), text };
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
