// The tree of the search as it is drawn: a row for every execution, in the order in which they were
// explored, and a column for every point on the way where they part. A chain of steps without such a
// point is one edge.

// parent, first child and so on of every node; parents come before their children.
export class TreeShape {
  constructor(tree) {
    this.nodes = tree.nodes;
    this.children = tree.nodes.map(() => []);
    tree.nodes.forEach((node, at) => {
      if (at > 0) this.children[node.parent].push(at);
    });
    this.segments();
    this.leaves = [];
    this.setRows();
  }

  // Where a node ends a chain: a point where executions part, or an end.
  isJoint(at) {
    return at === 0 || this.children[at].length !== 1 || this.nodes[at].end !== undefined;
  }

  // Every joint has the joint above, and the steps between them.
  segments() {
    this.column = new Array(this.nodes.length).fill(0);
    this.above = new Array(this.nodes.length).fill(0);
    this.chain = new Map([[0, []]]);
    const open = this.nodes.map(() => []);
    this.nodes.forEach((node, at) => {
      if (at === 0) return;
      const { parent } = node;
      const steps = this.isJoint(parent) ? [at] : [...open[parent], at];
      this.above[at] = this.isJoint(parent) ? parent : this.above[parent];
      this.column[at] = this.column[this.above[at]] + 1;
      if (this.isJoint(at)) this.chain.set(at, steps);
      else open[at] = steps;
      if (!this.isJoint(parent)) open[parent] = [];
    });
    this.columns = this.column.reduce((most, column) => Math.max(most, column), 0);
  }

  // Those that end get a row each, from the top; the others that of their first child.
  setRows() {
    this.row = new Array(this.nodes.length).fill(0);
    const todo = [0];
    while (todo.length) {
      const at = todo.pop();
      if (this.nodes[at].end !== undefined || !this.children[at].length) {
        this.row[at] = this.leaves.length;
        this.leaves.push(at);
      }
      for (const child of [...this.children[at]].reverse()) todo.push(child);
    }
    for (let at = this.nodes.length - 1; at >= 0; --at) {
      const [first] = this.children[at];
      if (first !== undefined && this.nodes[at].end === undefined) this.row[at] = this.row[first];
    }
  }

  path(at) {
    const steps = [];
    for (; at > 0; at = this.nodes[at].parent) steps.push(at);
    return steps.reverse();
  }
}
