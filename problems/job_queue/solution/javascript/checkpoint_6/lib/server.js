"use strict";

const http = require("node:http");

const { Api } = require("./api");
const { Board } = require("./board");
const { Refusal } = require("./errors");
const { parseJson } = require("./fields");
const { Journal } = require("./journal");
const { stringify } = require("./json");
const { split } = require("./request");

/** Serves on this port until killed. */
function serve(port, path) {
  const api = new Api(new Board());
  const journal = new Journal(path);
  for (const kept of journal.replay()) {
    api.answer(requestOf(kept));
  }

  const handle = (incoming, body) => {
    const { method, url, headers } = incoming;
    const answer = answerOrRefuse(api, requestOf({ method, url, headers, body }));
    // Nothing is answered that would not hold after a restart.
    if (method !== "GET" && answer.status < 400) {
      journal.append({ method, url, headers, body });
    }
    return answer;
  };

  const server = http.createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () => reply(outgoing, handle(incoming, Buffer.concat(chunks))));
  });
  server.listen({ port, host: "127.0.0.1", backlog: 128 });
}

function requestOf({ method, url, headers, body }) {
  return { method, ...split(url), headers, read: () => parseJson(body) };
}

function answerOrRefuse(api, request) {
  try {
    return api.answer(request);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    return { status: error.status, value: error.describe() };
  }
}

function reply(outgoing, { status, value, headers = {} }) {
  if (value === undefined) {
    outgoing.writeHead(status).end();
    return;
  }
  const body = Buffer.from(stringify(value));
  outgoing.writeHead(status, { ...headers, "Content-Type": "application/json", "Content-Length": body.length });
  outgoing.end(body);
}

module.exports = { serve };
