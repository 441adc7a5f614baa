// Views, detail and search.
import { byId, h } from './dom.js';
import { current, go, set, state, subscribe } from './store.js';
import { rows } from './rows.js';
import { setDetail } from './timeline.js';

export function buildTabs(views) {
  const tab = ({ id, label }) =>
    h(
      'button',
      {
        role: 'tab',
        id: 'tab-' + id,
        'aria-controls': 'view-' + id,
        'data-test': 'tab-' + id,
        onclick: () => set({ view: id }, 'push'),
      },
      label,
    );
  byId('tabs').append(...views.map(tab));
  byId('tabs').addEventListener('keydown', (e) => {
    const direction = { ArrowRight: 1, ArrowLeft: views.length - 1 }[e.key];
    if (!direction) return;
    const at = views.findIndex(({ id }) => id === state.view);
    const { id } = views[(at + direction) % views.length];
    set({ view: id });
    byId('tab-' + id).focus();
    e.preventDefault();
    e.stopPropagation();
  });
}

export function buildTools() {
  const keys = h(
    'button',
    {
      class: 'quiet keys',
      title: 'Keys (?)',
      'aria-label': 'Keys',
      'data-test': 'open-help',
      onclick: () => byId('help').showModal(),
    },
    '?',
  );
  byId('tools').append(detailButtons(), searchBox(), keys);
}

function detailButtons() {
  const choices = [
    ['all', 'All'],
    ['loops', 'Folded'],
    ['runs', 'Runs'],
  ];
  const button = ([id, label]) =>
    h(
      'button',
      {
        'aria-pressed': id === rows.detail,
        'data-test': 'detail-' + id,
        onclick: () => choose(id),
      },
      label,
    );
  const group = h(
    'div',
    { class: 'segmented', role: 'group', 'aria-label': 'Detail' },
    choices.map(button),
  );
  const choose = (id) => {
    choices.forEach(([other], k) => group.children[k].setAttribute('aria-pressed', other === id));
    setDetail(id);
  };
  const update = () => {
    group.hidden = !current().folds.length && current().n <= 60;
  };
  subscribe(update);
  update();
  return group;
}

function searchBox() {
  const found = h('span', { class: 'found', 'data-test': 'found', 'aria-live': 'polite' });
  const box = h('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': 'Search events: words, names, file:line',
    'data-test': 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => look(box.value),
    onkeydown: (e) => {
      e.stopPropagation();
      if (e.key === 'Enter') nextHit(e.shiftKey ? -1 : 1);
      else if (e.key === 'Escape') leave();
      else return;
      e.preventDefault();
    },
  });
  const leave = () => {
    look('');
    byId('timeline-list').focus();
  };
  subscribe(() => {
    if (box.value !== state.query) box.value = state.query;
    const at = state.hits.indexOf(state.step) + 1 || '\u2013';
    const none = state.query ? 'none' : '';
    found.textContent = state.hits.length ? `${at}/${state.hits.length}` : none;
  });
  return h('div', { class: 'search' }, box, found, h('kbd', { 'aria-hidden': 'true' }, '/'));
}

function look(query) {
  const hits = current().matches(query);
  const step = hits.includes(state.step)
    ? state.step
    : (hits.find((i) => i >= state.step) ?? hits[0] ?? state.step);
  set({ query, hits, step });
}

function nextHit(direction) {
  const { hits, step } = state;
  if (!hits.length) return;
  if (direction > 0) go(hits.find((i) => i > step) ?? hits[0]);
  else go(hits.findLast((i) => i < step) ?? hits[hits.length - 1]);
}
