'use strict';

/**
 * Tarjan's search for strongly connected components among the nodes that a node depends on. Each component is found
 * after those it depends on. Nodes depend on themselves if they are in a component with others, or on themselves
 * directly.
 *
 * @param {object} root
 * @param {function} precedentsOf gives an iterator of the nodes that a node directly depends on; nodes of components
 *   that were found may be left out
 * @param {function} found is called with each component, an array of nodes, and whether they depend on themselves
 * @param {Map} visits of the searches before, so that no component is found twice
 */
function findComponents(root, precedentsOf, found, visits = new Map()) {
  const path = [];
  const open = [];

  const enter = (node) => {
    const visit = {
      node,
      precedents: precedentsOf(node),
      index: visits.size,
      low: visits.size,
      isOpen: true,
      dependsOnItself: false,
    };
    visits.set(node, visit);
    path.push(visit);
    open.push(visit);
  };

  const leave = (visit) => {
    path.pop();
    const parent = path[path.length - 1];
    if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
    if (visit.low !== visit.index) return;
    const component = open.splice(open.lastIndexOf(visit));
    for (const member of component) member.isOpen = false;
    found(
      component.map(({ node }) => node),
      component.length > 1 || visit.dependsOnItself,
    );
  };

  if (!visits.has(root)) enter(root);
  while (path.length > 0) {
    const visit = path[path.length - 1];
    const { value: precedent, done } = visit.precedents.next();
    const seen = done ? undefined : visits.get(precedent);
    if (done) {
      leave(visit);
    } else if (seen === undefined) {
      enter(precedent);
    } else if (seen.isOpen) {
      visit.low = Math.min(visit.low, seen.index);
      if (seen === visit) visit.dependsOnItself = true;
    }
  }
}

module.exports = { findComponents };
