// Technique and options, from the tables that the command line is made from, with their explanation.
import { h } from './dom.js';

export class Choices {
  constructor(menu) {
    this.menu = menu;
    this.kind = null;
    this.technique = h('select', {
      'aria-label': 'Technique',
      'data-test': 'technique',
      onchange: () => this.explain(),
    });
    this.summary = h('p', { class: 'soft', 'data-test': 'technique-summary' });
    this.flags = h('input', {
      type: 'text',
      'aria-label': 'For the compiler',
      placeholder: '-DN=3',
      'data-test': 'flags',
      spellcheck: 'false',
    });
    this.fields = new Map();
    this.list = h('div', { class: 'options' });
    this.node = h(
      'div',
      { class: 'choices' },
      h('label', {}, 'Technique ', this.technique),
      this.summary,
      h('label', {}, 'For the compiler ', this.flags),
      h(
        'details',
        { 'data-test': 'more-options' },
        h('summary', {}, 'Options'),
        this.list,
      ),
    );
  }

  // What a program of this kind can be checked with. What was chosen for another one of it stays.
  show(kind) {
    if (this.kind === kind) return;
    this.kind = kind;
    const usual = this.menu.kinds.find(({ name }) => name === kind).technique;
    const able = this.menu.techniques.filter(({ kinds }) => kinds.includes(kind));
    this.technique.replaceChildren(...able.map(({ name }) => h('option', { value: name }, name)));
    this.technique.value = usual;
    this.flags.parentNode.hidden = kind === 'automata';
    this.explain();
    this.showOptions();
  }

  explain() {
    const { summary } = this.menu.techniques.find(({ name }) => name === this.technique.value);
    this.summary.textContent = summary;
  }

  showOptions() {
    this.fields.clear();
    const groups = new Map();
    for (const option of this.menu.options) {
      if (option.kind !== null && option.kind !== this.kind) continue;
      const rows = groups.get(option.group) || [];
      rows.push(this.row(option));
      groups.set(option.group, rows);
    }
    this.list.replaceChildren(
      ...[...groups].map(([group, rows]) => h('fieldset', {}, h('legend', {}, group), rows)),
    );
  }

  row(option) {
    const props = { 'aria-label': option.name, 'data-test': 'option', 'data-name': option.name };
    let field;
    if (option.flag) field = h('input', { type: 'checkbox', ...props });
    else if (option.words.length && option.name !== '--order')
      field = h(
        'select',
        props,
        ['', ...option.words].map((word) => h('option', { value: word }, word)),
      );
    else field = h('input', { type: 'text', placeholder: option.type, spellcheck: 'false', ...props });
    this.fields.set(option, field);
    return h(
      'label',
      { class: 'option', title: option.help },
      h('code', {}, option.name),
      field,
      h('span', { class: 'soft' }, option.help),
    );
  }

  // The words for the command line.
  words(technique = this.technique.value, flags = this.flags.value, kind = this.kind) {
    const words = ['--technique', technique];
    for (const [option, field] of this.fields) {
      if (option.kind !== null && option.kind !== kind) continue;
      if (option.flag && field.checked) words.push(option.name);
      if (!option.flag && field.value.trim()) words.push(option.name, field.value.trim());
    }
    if (kind !== 'automata') words.push(...flags.split(/\s+/).filter(Boolean));
    return words;
  }
}

// As `mazurka check` finds it out.
export function kindOfProgram(name, text) {
  if (name.endsWith('.tck')) return 'automata';
  return /#\s*include\s*[<"]mazurka\/actors\.hpp/.test(text) ? 'actors' : 'threads';
}
