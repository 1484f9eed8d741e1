// Checks recorded lines against the official schema of the revision that each was written in.
//
//   node schemas.mjs FILE client|server|both
//
// FILE is what `tests/interop/tap.mjs --whole` writes, of any number of sessions; the second argument says whose lines
// are checked. Prints a JSON object for each line that does not fit, and at last one with the number of lines checked.

import { readFileSync } from 'node:fs';
import process from 'node:process';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { officialSchemas } from './official-schemas.mjs';

const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const LATEST = '2026-07-28';

const [file, side] = process.argv.slice(2);
const schemas = officialSchemas();
const compiled = new Map();
/** What is known of each session, by the process that recorded it. */
const sessions = new Map();
let checked = 0;

for (const text of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
  const { pid, from, line } = JSON.parse(text);
  if (line === undefined) continue;
  if (!sessions.has(pid)) sessions.set(pid, { requests: { client: new Map(), server: new Map() } });
  const { revision, name, value } = classify(sessions.get(pid), from, JSON.parse(line));
  if (side !== 'both' && from !== side) continue;
  checked += 1;
  const faults = faultsOf(revision, name, value);
  if (faults.length > 0) {
    console.log(JSON.stringify({ from, revision, definition: name, faults: faults.slice(0, 3), line }));
  }
}
console.log(JSON.stringify({ checked }));

/** The revision of a message, and which definition it has to fit, or its result has to. */
function classify(session, from, message) {
  const own = session.requests[from];
  const others = session.requests[from === 'client' ? 'server' : 'client'];
  if (message.method !== undefined) {
    const revision = revisionOf(session, message);
    if (message.id !== undefined) own.set(message.id, { method: message.method, revision });
    const name = compiledFor(revision).methods.get(message.method);
    // A client may ask for what does not exist, to see what happens.
    const other = from === 'server' ? message.method : 'JSONRPCMessage';
    return { revision, name: name ?? other, value: message };
  }
  const { method, revision: asked = LATEST } = others.get(message.id) ?? {};
  const agreed = method === 'initialize' ? message.result?.protocolVersion : undefined;
  if (agreed !== undefined) session.revision = agreed;
  const revision = agreed ?? asked;
  const { definitions, codes, results } = compiledFor(revision);
  if (message.error !== undefined) {
    const generic = 'JSONRPCErrorResponse' in definitions ? 'JSONRPCErrorResponse' : 'JSONRPCError';
    return { revision, name: codes.get(message.error.code) ?? generic, value: message };
  }
  if (message.result?.resultType === 'input_required') {
    return { revision, name: 'InputRequiredResult', value: message.result };
  }
  return { revision, name: results.get(method) ?? 'Result', value: message.result };
}

/** A request says of itself which it is of, or belongs to a handshake; a notification belongs to what was asked last. */
function revisionOf(session, { id, method, params }) {
  const own = method === 'initialize' ? params?.protocolVersion : params?._meta?.[META_VERSION];
  if (isKnown(own) && id !== undefined) session.revision = own;
  return session.revision ?? LATEST;
}

function isKnown(revision) {
  return revision === '2024-11-05' || revision in schemas;
}

function faultsOf(revision, name, value) {
  const { ajv, key, definitions } = compiledFor(revision);
  if (!(name in definitions)) return [`revision ${revision} has no ${name}`];
  const validate = ajv.getSchema(`mcp://${revision}#/${key}/${name}`);
  if (validate(value)) return [];
  return validate.errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function compiledFor(revision) {
  // What the package has no schema of is checked by the next one, which only adds to it.
  const schema = schemas[revision === '2024-11-05' ? '2025-03-26' : revision];
  if (!compiled.has(revision)) compiled.set(revision, compile(revision, schema));
  return compiled.get(revision);
}

function compile(revision, schema) {
  const key = '$defs' in schema ? '$defs' : 'definitions';
  const definitions = schema[key];
  // Numbers of schema.ts that became integers on the way here; the suites themselves send others.
  for (const name of ['ElicitResult', 'NumberSchema']) allowFractions(definitions[name]);
  const ajv = new (key === '$defs' ? Ajv2020 : Ajv)({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('byte', true);
  ajv.addSchema({ ...schema, $id: `mcp://${revision}` });
  const methods = new Map();
  const results = new Map();
  const codes = new Map();
  for (const [name, definition] of Object.entries(definitions)) {
    const method = definition.properties?.method?.const;
    if (typeof method === 'string') {
      methods.set(method, name);
      const result = name.replace(/Request$/, 'Result');
      if (result !== name && result in definitions) results.set(method, result);
    }
    for (const part of definition.properties?.error?.allOf ?? []) {
      if (part.properties?.code?.const !== undefined) codes.set(part.properties.code.const, name);
    }
  }
  return { ajv, key, definitions, methods, results, codes };
}

function allowFractions(schema) {
  if (schema === null || typeof schema !== 'object') return;
  const { type } = schema;
  if (type === 'integer') schema.type = 'number';
  if (Array.isArray(type)) schema.type = type.map((name) => (name === 'integer' ? 'number' : name));
  Object.values(schema).forEach(allowFractions);
}
