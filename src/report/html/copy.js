// Text into the clipboard; pages that are opened as files may have to do it the old way.
import { byId, h } from './dom.js';

export async function copy(text, button) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    done = copySelected(text);
  }
  button.classList.add(done ? 'copied' : 'not-copied');
  byId('live').textContent = done ? 'Copied' : 'Could not copy';
  setTimeout(() => button.classList.remove('copied', 'not-copied'), 1400);
}

function copySelected(text) {
  const area = h('textarea', { class: 'sr', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  let done = false;
  try {
    done = document.execCommand('copy');
  } catch {
    // It is not allowed.
  }
  area.remove();
  return done;
}

// A command with a button that copies it.
export function commandLine(text, test) {
  return h(
    'div',
    { class: 'replay' },
    h('span', { class: 'prompt', 'aria-hidden': 'true' }, '$'),
    h('code', { 'data-test': test, title: text }, text),
    h(
      'button',
      {
        class: 'copy',
        'aria-label': 'Copy the command',
        'data-test': 'copy-' + test,
        onclick: (e) => copy(text, e.currentTarget),
      },
      h('span', { class: 'idle' }, 'Copy'),
      h('span', { class: 'done' }, 'Copied'),
    ),
  );
}
