// One client and its server, with the differences between the two SDKs put away.

import process from 'node:process';

import { assert } from '../report.mjs';
import { Answers } from './answers.mjs';
import { Notifications } from './notifications.mjs';
import { Wire } from './wire.mjs';

const MODERN = '2026-07-28';

export class Connection {
  answers = new Answers();
  notifications = new Notifications();
  wire = new Wire();
  // How the server's process ended: { code, signal }, once it did.
  exit = undefined;
  tools = [];
  resources = [];
  templates = [];
  prompts = [];

  #sdk;
  // The era that the session has to be of, if that is known.
  #era;
  #revision;

  constructor(sdk, { mode, era, command: [program, ...rest] }) {
    this.#sdk = sdk;
    this.#era = era;
    this.client = sdk.createClient({
      information: { name: 'interop', version: '1.0.0' },
      capabilities: { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } },
      answers: this.answers,
      notifications: this.notifications,
      mode,
    });
    // No `env`: the server gets only what the SDK lets through, as under a real host.
    this.transport = sdk.createTransport({ command: program, args: rest, stderr: 'inherit' });
    // The only way in which SDK 1 tells the revision.
    if (!this.client.getNegotiatedProtocolVersion) {
      this.transport.setProtocolVersion = (revision) => (this.#revision = revision);
    }
  }

  async open() {
    await this.client.connect(this.transport, { timeout: 20_000 });
    this.wire.watch(this.transport);
    // Private, but the only place that tells how the process ended.
    this.transport._process.once('exit', (code, signal) => (this.exit = { code, signal }));
    const era = this.isModern ? 'modern' : 'legacy';
    assert((this.#era ?? era) === era, `the session is ${this.#era}, not of ${this.revision}`);
    return {
      revision: this.revision,
      server: this.client.getServerVersion(),
      capabilities: Object.keys(this.capabilities),
    };
  }

  get revision() {
    return this.client.getNegotiatedProtocolVersion?.() ?? this.#revision;
  }

  get isModern() {
    return this.revision === MODERN;
  }

  get capabilities() {
    return this.client.getServerCapabilities() ?? {};
  }

  // Asserts that the server declared the capability.
  expectCapability(name) {
    assert(this.capabilities[name], `the server declares the ${name} capability`);
  }

  // Sends a request whose result is passed on unread.
  request(method, parameters = {}, options = { timeout: 10_000 }) {
    return this.client.request({ method, params: parameters }, this.#sdk.anyResult, options);
  }

  callTool(name, parameters, options = { timeout: 30_000 }, meta = undefined) {
    const call = { name, arguments: parameters, ...(meta && { _meta: meta }) };
    return this.#sdk.callTool(this.client, call, options);
  }

  // Calls a tool that has to succeed, and that the server has to have.
  async use(name, parameters, meta) {
    const result = await this.callTool(name, parameters, undefined, meta);
    assert(!result.isError, `${name} succeeds, not: ${textOf(result).slice(0, 200)}`);
  }

  // The echo tool's answer, which must hold the message unharmed.
  async echo(message, options) {
    const result = await this.callTool('echo', { message }, options);
    assert(!result.isError, `echo succeeds, not: ${textOf(result).slice(0, 200)}`);
    assert(textOf(result).includes(message), `echo returns the ${message.length} characters it got`);
    return textOf(result);
  }

  kill() {
    try {
      process.kill(this.transport.pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

// The text of a tool's result.
export function textOf(result) {
  return (result.content ?? [])
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('');
}
