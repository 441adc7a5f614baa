// The tree while it grows: a column for each of the latest executions, from where it leaves the one
// before down to its end.
import { h } from './dom.js';

const SHOWN = 400; // executions
const TALL = 120; // pixels

export class LiveTree {
  constructor() {
    this.latest = [];
    this.canvas = h('canvas', {
      width: 2 * SHOWN,
      height: TALL,
      class: 'live-tree',
      role: 'img',
      'aria-label': 'The latest executions: how deep each leaves the one before',
      'data-test': 'live-tree',
    });
  }

  add(executions) {
    if (!executions.length) return;
    this.latest.push(...executions);
    this.latest.splice(0, Math.max(0, this.latest.length - SHOWN));
    this.draw();
  }

  draw() {
    const deepest = this.latest.reduce((most, [, events]) => Math.max(most, events), 1);
    const style = getComputedStyle(this.canvas);
    const colours = {
      complete: style.getPropertyValue('--p1'),
      asleep: style.getPropertyValue('--faint'),
      failed: style.getPropertyValue('--fail'),
      deadlock: style.getPropertyValue('--fail'),
    };
    const pen = this.canvas.getContext('2d');
    pen.clearRect(0, 0, this.canvas.width, TALL);
    this.latest.forEach(([shared, events, ending], k) => {
      pen.fillStyle = colours[ending] || style.getPropertyValue('--soft');
      const top = (shared / deepest) * TALL;
      pen.fillRect(2 * k, top, 1.5, Math.max(1, (events / deepest) * TALL - top));
    });
  }
}
