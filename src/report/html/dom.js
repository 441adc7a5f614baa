// Builds elements. All text of the program under test goes through textContent or setAttribute,
// never through innerHTML; the names of tags and attributes are constants of this page.

export function h(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null) continue;
    if (key.startsWith('aria-') || key === 'title') node.setAttribute(key, visible(String(value)));
    else if (value === false) continue;
    else if (key === 'class') node.className = value;
    else if (key === 'style') setStyle(node, value);
    else if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : visible(String(value)));
  }
  append(node, children);
  return node;
}

export function s(tag, props, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, visible(String(value)));
  }
  append(node, children);
  return node;
}

function setStyle(node, style) {
  for (const [name, value] of Object.entries(style)) {
    if (value !== undefined) node.style.setProperty(name, value);
  }
}

function append(node, children) {
  for (const child of children.flat(3)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : visible(String(child)));
  }
}

// Control and direction characters could make a name read as another one: they are shown as such.
const COMMANDS = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f' +
    '\\u2028-\\u202e\\u2066-\\u2069\\ufeff]',
  'g',
);
export function visible(text) {
  const shown = (c) =>
    '\u27e8U+' + c.codePointAt(0).toString(16).padStart(4, '0').toUpperCase() + '\u27e9';
  return text.replace(COMMANDS, shown);
}

export const byId = (id) => document.getElementById(id);

// Like classList.toggle, for a whole list: classes('row', future && 'future').
export const classes = (...names) => names.filter(Boolean).join(' ');

export const clipped = (text, most) =>
  text.length > most ? text.slice(0, Math.max(1, most - 1)) + '\u2026' : text;

const THIN = '\u202f';
export function number(n) {
  if (typeof n !== 'number') return String(n);
  return n >= 10000 ? n.toLocaleString('en').replace(/,/g, THIN) : String(n);
}
export function seconds(t) {
  if (t < 0.001) return '<' + THIN + '1' + THIN + 'ms';
  if (t < 1) return Math.round(t * 1000) + THIN + 'ms';
  return (t < 10 ? t.toFixed(1) : number(Math.round(t))) + THIN + 's';
}
export function bytes(n) {
  if (n < 1 << 20) return Math.max(1, Math.round(n / 1024)) + THIN + 'KiB';
  if (n < 1 << 30) return Math.round(n / (1 << 20)) + THIN + 'MiB';
  return (n / (1 << 30)).toFixed(1) + THIN + 'GiB';
}
export const plural = (n, what) => number(n) + '\u00a0' + what + (n === 1 ? '' : 's');
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// Splits "assertion `x` fails" so that code is set as code.
export function prose(text) {
  return text.split(/`([^`]*)`/).map((part, k) => (k % 2 ? h('code', {}, part) : part));
}
