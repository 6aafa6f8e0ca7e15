"use strict";

const http = require("node:http");

const { Api } = require("./api");
const { Board } = require("./board");
const { Refusal } = require("./errors");
const { Journal } = require("./journal");
const { stringify } = require("./json");

/** Serves on this port until killed. */
function serve(port, path) {
  const api = new Api(new Board());
  const journal = new Journal(path);
  for (const request of journal.replay()) {
    api.answer(request);
  }

  const handle = (incoming, body) => {
    const [path, query] = split(incoming.url);
    const request = { method: incoming.method, path, query, headers: incoming.headers, body };
    const answer = answerOrRefuse(api, request);
    // Nothing is answered that would not hold after a restart.
    if (request.method !== "GET" && answer.status < 400) {
      journal.append(request);
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

function split(url) {
  const mark = url.indexOf("?");
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
}

function answerOrRefuse(api, request) {
  try {
    return api.answer(request);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    return { status: error.status, value: { error: error.code } };
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
