// A server over HTTP as a server on standard streams, for a client that has no other.
//
//   node shim.mjs URL
//
// Lines pass as they are. What belongs to HTTP is added here: the headers, the session's id, the stream that a server of
// the older revisions asks on.

import process from 'node:process';

const META_VERSION = 'io.modelcontextprotocol/protocolVersion';

const url = process.argv[2];
/** The requests under way, by their id, to be hung up when they are cancelled. */
const underWay = new Map();
const session = {};

let partial = '';
for await (const text of process.stdin.setEncoding('utf8')) {
  const lines = (partial + text).split('\n');
  partial = lines.pop();
  for (const line of lines) await take(line);
}
await end();

/** Passes a line on. What is to be there before the next line is waited for. */
async function take(line) {
  const message = JSON.parse(line);
  if (message.method === 'notifications/cancelled' && isModern()) {
    underWay.get(message.params.requestId)?.abort();
  } else if (message.method !== undefined && message.id !== undefined) {
    const hangUp = new AbortController();
    underWay.set(message.id, hangUp);
    const answered = request(message, line, hangUp.signal).finally(() => underWay.delete(message.id));
    if (message.method === 'initialize') await answered;
  } else {
    await (await post(message, line)).arrayBuffer();
    if (message.method === 'notifications/initialized') await listen();
  }
}

async function request(message, line, signal) {
  try {
    await receive(await post(message, line, signal), message);
  } catch (error) {
    if (signal.aborted) return;
    const text = `the server cannot be asked: ${error.cause ?? error}`;
    write({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: text } });
  }
}

async function post(message, line, signal) {
  session.version = message.params?._meta?.[META_VERSION] ?? session.version;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers(),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(isModern() ? methodHeaders(message) : {}),
    },
    body: line,
    signal,
  });
  session.id ??= response.headers.get('mcp-session-id') ?? undefined;
  return response;
}

async function receive(response, { method }) {
  if (response.headers.get('content-type')?.includes('text/event-stream')) {
    await readEvents(response.body, method);
  } else {
    pass(await response.text(), method);
  }
}

/** The stream that a server of the older revisions asks on. Not every server has one. */
async function listen() {
  const hangUp = new AbortController();
  session.hangUp = hangUp;
  const response = await fetch(url, {
    headers: { ...headers(), Accept: 'text/event-stream' },
    signal: hangUp.signal,
  });
  if (response.ok && response.headers.get('content-type')?.includes('text/event-stream')) {
    readEvents(response.body).catch(() => {});
  } else {
    await response.arrayBuffer();
  }
}

async function readEvents(body, method) {
  let partial = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const events = (partial + text).split(/\r?\n\r?\n/);
    partial = events.pop();
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      if (data.length > 0) pass(data.map((line) => line.slice(5)).join('\n'), method);
    }
  }
}

function pass(text, method) {
  const message = JSON.parse(text);
  if (method === 'initialize') session.version = message.result?.protocolVersion;
  write(message);
}

async function end() {
  for (const hangUp of underWay.values()) hangUp.abort();
  session.hangUp?.abort();
  if (session.id !== undefined) await fetch(url, { method: 'DELETE', headers: headers() });
}

function headers() {
  return {
    ...(session.version === undefined ? {} : { 'MCP-Protocol-Version': session.version }),
    ...(session.id === undefined ? {} : { 'Mcp-Session-Id': session.id }),
  };
}

function methodHeaders({ method, params }) {
  const name = params?.name ?? params?.uri;
  return { 'Mcp-Method': method, ...(name === undefined ? {} : { 'Mcp-Name': name }) };
}

/** Since 2026-07-28 there is no session. */
function isModern() {
  return session.version >= '2026-07-28';
}

function write(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
