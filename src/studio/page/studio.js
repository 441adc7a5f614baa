// Puts the studio together.
import { byId, h } from './dom.js';
import { beginRun, fetchMenu } from './server.js';
import { Choices, kindOfProgram } from './choices.js';
import { Editor } from './editor.js';
import { RunView, stop, watchRun } from './run_view.js';
import { RunsView } from './runs_view.js';
import { TableView } from './table_view.js';

const VIEWS = [
  ['run', 'Report'],
  ['runs', 'Runs'],
  ['table', 'Tables'],
];

class Studio {
  constructor(menu) {
    this.current = null; // the number of the run under way
    this.choices = new Choices(menu);
    this.editor = new Editor(menu, () => this.showKind());
    this.goButton = h('button', { class: 'go', 'data-test': 'run', onclick: () => this.go() }, 'Run');
    this.stopButton = h(
      'button',
      { 'data-test': 'stop', disabled: true, onclick: () => this.halt() },
      'Stop',
    );
    const view = new RunView();
    const runs = new RunsView((run) => {
      view.begin();
      view.end(run.number, run.outcome, { said: '' });
      this.show('run');
    });
    const table = new TableView(menu, this.choices, {
      once: (program, words) => this.once(program, words),
      program: (choice) => this.editor.program(choice),
      current: () => this.editor.choice.value,
      stop: () => this.halt(),
    });
    this.views = { run: view, runs, table };
    byId('folder').textContent = menu.folder;
    byId('left').append(
      this.editor.node,
      this.choices.node,
      h('div', { class: 'buttons' }, this.goButton, this.stopButton),
    );
    byId('right').append(view.node, runs.node, table.node);
    byId('tabs').append(...VIEWS.map(([id, label]) => this.tab(id, label)));
    this.show('run');
  }

  tab(id, label) {
    return h(
      'button',
      { role: 'tab', id: 'tab-' + id, 'data-test': 'tab-' + id, onclick: () => this.show(id) },
      label,
    );
  }

  show(view) {
    for (const [id] of VIEWS) {
      this.views[id].node.hidden = id !== view;
      byId('tab-' + id).setAttribute('aria-selected', id === view);
    }
  }

  showKind() {
    this.choices.show(kindOfProgram(this.editor.name, this.editor.text.value));
  }

  tell(message) {
    byId('message').textContent = message;
  }

  async go() {
    this.showKind();
    this.show('run');
    this.views.run.begin();
    const program = { name: this.editor.name, text: this.editor.text.value };
    await this.once(program, this.choices.words());
  }

  // One run to its end; null: it came to no outcome.
  async once({ name, text }, options) {
    this.tell('');
    this.goButton.disabled = true;
    let outcome = null;
    try {
      const { run } = await beginRun(name, text, options);
      this.current = run;
      this.stopButton.disabled = false;
      let last;
      outcome = await watchRun(run, (seen) => {
        last = seen;
        this.views.run.look(seen);
      });
      this.views.run.end(run, outcome, last);
      if (outcome) this.views.runs.add({ number: run, name, options, outcome });
    } catch (error) {
      this.views.run.fail('It was not run');
      this.tell(error.message);
    }
    this.current = null;
    this.goButton.disabled = false;
    this.stopButton.disabled = true;
    return outcome;
  }

  async halt() {
    if (this.current === null) return;
    try {
      await stop(this.current);
    } catch (error) {
      this.tell(error.message);
    }
  }
}

async function startStudio() {
  try {
    const menu = await fetchMenu();
    const studio = new Studio(menu);
    await studio.editor.load();
  } catch (error) {
    byId('message').textContent = error.message;
  }
  document.documentElement.dataset.ready = 'true';
}

startStudio();
