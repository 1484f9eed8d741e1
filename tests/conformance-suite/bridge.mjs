// A server of revision 2026-07-28 on standard streams, as a server over HTTP on a port of this machine.
//
//   node bridge.mjs COMMAND [ARGUMENT ...]
//
// Prints the URL when it is ready, and ends with its standard input. There is one process for all requests: what one of
// them changes, the streams that others have open are told of. Messages pass as they are, but for their ids, which are
// those of many clients; everything that can be said without HTTP's headers is left to the server.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import process from 'node:process';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

const server = spawn(process.argv[2], process.argv.slice(3), { stdio: ['pipe', 'pipe', 'inherit'] });
/** The requests that are not answered yet, by their id on the server's side. */
const open = new Map();
let lastId = 0;

// The exit will tell.
server.stdin.on('error', () => {});
server.on('close', (code, signal) => {
  console.error(`bridge: the server ended with ${code ?? signal}`);
  process.exit(code ?? 1);
});

forEachLine(server.stdout, (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    settle(message);
  } else if (message.id !== undefined) {
    console.error(`bridge: a server of this revision asks nothing: ${line}`);
    process.exit(1);
  } else {
    for (const request of concerned(message)) request.notify(message);
  }
});

const http = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  let message;
  try {
    message = JSON.parse(body);
  } catch {
    response.writeHead(400).end();
    return;
  }
  if (message.id === undefined) {
    send(message);
    response.writeHead(202).end();
  } else {
    pass(message, response);
  }
});
http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));

process.stdin.resume().on('end', () => {
  http.close();
  server.stdin.end();
});

/** Passes a request on, and keeps its response open. */
function pass(message, response) {
  const id = ++lastId;
  const listens = message.method === 'subscriptions/listen';
  open.set(id, {
    listens,
    progressToken: message.params?._meta?.progressToken,
    notify(notification) {
      if (listens) notification = withSubscription(notification, message.id);
      begin(response);
      response.write(event(notification));
    },
    answer(answer) {
      if (listens && answer.result) answer.result._meta[SUBSCRIPTION] = message.id;
      const whole = { ...answer, id: message.id };
      if (response.headersSent) {
        response.end(event(whole));
      } else {
        response.writeHead(status(answer), { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(whole));
      }
    },
  });
  // Over HTTP a client cancels by hanging up.
  response.on('close', () => {
    if (open.delete(id)) {
      send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    }
  });
  send({ ...message, id });
}

function begin(response) {
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
}

function settle(message) {
  const request = open.get(message.id);
  if (request === undefined) {
    console.error(`bridge: nobody waits for ${JSON.stringify(message)}`);
    return;
  }
  open.delete(message.id);
  request.answer(message);
}

/**
 * Whose a notification is. One of a stream says so, progress has a token, and what is left is the only other request's:
 * the suite makes one at a time.
 */
function concerned({ params }) {
  const subscription = params?._meta?.[SUBSCRIPTION];
  if (subscription !== undefined) return [open.get(subscription)].filter(Boolean);
  const requests = [...open.values()].filter((request) => !request.listens);
  if (params?.progressToken === undefined) return requests;
  return requests.filter((request) => request.progressToken === params.progressToken);
}

function withSubscription(notification, id) {
  const meta = { ...notification.params._meta, [SUBSCRIPTION]: id };
  return { ...notification, params: { ...notification.params, _meta: meta } };
}

/** The status that the specification has for an error. */
function status({ error }) {
  if (error === undefined) return 200;
  return { '-32601': 404, '-32603': 500 }[error.code] ?? 400;
}

function event(message) {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function send(message) {
  // At the end clients hang up when there is nobody left to be told.
  if (server.stdin.writable) server.stdin.write(`${JSON.stringify(message)}\n`);
}

function forEachLine(input, take) {
  let partial = '';
  input.setEncoding('utf8').on('data', (text) => {
    const lines = (partial + text).split('\n');
    partial = lines.pop();
    lines.forEach(take);
  });
}
