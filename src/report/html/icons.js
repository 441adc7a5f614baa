// Shapes say what was done; colour only ever repeats who did it.
import { s } from './dom.js';

const SHAPES = {
  lock: [
    ['rect', { x: 3, y: 7, width: 10, height: 7, rx: 1.5, class: 'fill' }],
    ['path', { d: 'M5 7V5a3 3 0 0 1 6 0v2' }],
  ],
  unlock: [
    ['rect', { x: 3, y: 7.5, width: 10, height: 6.5, rx: 1.5 }],
    ['path', { d: 'M5 7.5V4.6a3 3 0 0 1 5.7-1.3' }],
  ],
  read: [
    ['path', { d: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z' }],
    ['circle', { cx: 8, cy: 8, r: 1.9, class: 'fill' }],
  ],
  write: [['path', { d: 'M2.5 13.5l.9-3.6 7.3-7.3 2.7 2.7-7.3 7.3z', class: 'fill' }]],
  update: [
    ['path', { d: 'M3 6.5a5.2 5.2 0 0 1 9.6-1.2M13 9.5a5.2 5.2 0 0 1-9.6 1.2' }],
    ['path', { d: 'M13 2.5v3h-3M3 13.5v-3h3' }],
  ],
  wait: [
    [
      'path',
      { d: 'M4 2.5h8M4 13.5h8M5 2.5c0 3 3 4 3 5.5s-3 2.5-3 5.5M11 2.5c0 3-3 4-3 5.5s3 2.5 3 5.5' },
    ],
  ],
  woken: [['path', { d: 'M5 3l8 5-8 5z', class: 'fill' }]],
  signal: [
    ['path', { d: 'M8 2a4 4 0 0 0-4 4v3l-1.3 2.2h10.6L12 9V6a4 4 0 0 0-4-4z' }],
    ['path', { d: 'M6.5 13.5a1.6 1.6 0 0 0 3 0' }],
  ],
  broadcast: [
    [
      'path',
      {
        d: 'M8 3a3.3 3.3 0 0 0-3.3 3.3v2.5L3.6 11h8.8l-1.1-2.2V6.3A3.3 3.3 0 0 0 8 3z',
        class: 'fill',
      },
    ],
    ['path', { d: 'M2 3.5a5 5 0 0 0 0 5M14 3.5a5 5 0 0 1 0 5M6.7 13.3a1.4 1.4 0 0 0 2.6 0' }],
  ],
  start: [['path', { d: 'M3.5 2v12M3.5 5c0 3 2 4 8.5 4M9.5 6.5L12.3 9l-2.8 2.5' }]],
  join: [['path', { d: 'M12.5 2v12M3.5 4c0 4 2 5.5 8.5 5.5M9.5 7L12.3 9.5 9.5 12' }]],
  failure: [['path', { d: 'M4 4l8 8M12 4l-8 8', class: 'heavy' }]],
  stuck: [
    ['circle', { cx: 8, cy: 8, r: 5.5 }],
    ['path', { d: 'M4.8 8h6.4', class: 'heavy' }],
  ],
  message: [
    ['rect', { x: 2, y: 4, width: 12, height: 8.5, rx: 1.2 }],
    ['path', { d: 'M2.5 5l5.5 4 5.5-4' }],
  ],
  other: [['circle', { cx: 8, cy: 8, r: 2.5, class: 'fill' }]],
};

export function icon(op, size = 14) {
  const parts = SHAPES[Object.hasOwn(SHAPES, op) ? op : 'other'];
  return s(
    'svg',
    { viewBox: '0 0 16 16', width: size, height: size, class: 'icon', 'aria-hidden': 'true' },
    parts.map(([tag, props]) => s(tag, props)),
  );
}
