"use strict";

/** Takes a request's target apart, into path and query. */
function split(target) {
  const mark = target.indexOf("?");
  return mark < 0 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

module.exports = { split };
