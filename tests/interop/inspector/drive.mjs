// Drives a stdio server with the command line of the official Inspector: one process of each for every step.
//
//   node drive.mjs [--mode legacy|auto|modern] [--era legacy|modern] [--calls NUMBER] -- COMMAND [ARGUMENT ...]
//
// `--mode` is what the client tries, `--era` is what has to come of it.
//
// Exit code: 0 when no step failed, 1 when one did, 2 for a wrong command line.

import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { assert, removedIn, Report } from '../report.mjs';

const MODERN = '2026-07-28';
const INSPECTOR = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);

const { values: options, positionals: command } = parseArgs({
  options: {
    mode: { type: 'string', default: 'legacy' },
    era: { type: 'string' },
    calls: { type: 'string', default: '200' },
  },
  allowPositionals: true,
});
if (command.length === 0) {
  console.error('drive.mjs: name the server command after --');
  process.exit(2);
}

const report = new Report();
let revision;
let resources = [];
let prompts = [];

const connected = await report.step('connect', async () => {
  const { result } = await inspect('initialize');
  revision = result.protocolVersion;
  const era = revision === MODERN ? 'modern' : 'legacy';
  assert((options.era ?? era) === era, `the session is ${options.era}, not of ${revision}`);
  return { revision };
});
if (!connected) process.exit(report.summarize());

await report.step('tools/list', async () => {
  const { result } = await inspect('tools/list');
  assert(result.tools.length > 0, 'there are tools');
});

await report.step('resources/list', async () => {
  ({ resources } = (await inspect('resources/list')).result);
  assert(resources.length > 0, 'there are resources');
});

await report.step('resources/templates/list', async () => {
  const { result } = await inspect('resources/templates/list');
  assert(Array.isArray(result.resourceTemplates), 'the templates are an array');
});

await report.step('prompts/list', async () => {
  ({ prompts } = (await inspect('prompts/list')).result);
  assert(prompts.length > 0, 'there are prompts');
});

await report.step('resources/read', async () => {
  assert(resources.length > 0, 'there is a resource to read');
  const { result } = await inspect('resources/read', '--uri', resources[0].uri);
  assert(result.contents.length > 0, 'the resource has contents');
});

await report.step('prompts/get', async () => {
  assert(prompts.length > 0, 'there is a prompt to get');
  const [prompt] = prompts;
  const required = (prompt.arguments ?? []).filter((argument) => argument.required);
  const values = required.flatMap(({ name }) => ['--prompt-args', `${name}=interop`]);
  const { result } = await inspect('prompts/get', '--prompt-name', prompt.name, ...values);
  assert(result.messages.length > 0, 'the prompt has messages');
});

await report.step('echo', async () => {
  const { result } = await inspect('tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hello');
  const { text } = result.content[0];
  assert(text.includes('hello'), `echo returns what it got, not: ${text}`);
  return { text };
});

await report.step('echo concurrent', async () => {
  const load = ['--load', '--load-requests', options.calls, '--load-concurrency', '50'];
  const { result } = await inspect('tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hello', ...load);
  assert(result.ok === Number(options.calls), `every call succeeds, not: ${JSON.stringify(result)}`);
  return { calls: result.ok, callsPerSecond: Math.round(result.throughput) };
});

await report.step('logging/setLevel', async () => {
  if (revision === MODERN) throw removedIn(revision);
  await inspect('logging/setLevel', '--log-level', 'debug');
});

process.exit(report.summarize());

// Runs the Inspector once; gives the JSON that it prints.
async function inspect(method, ...rest) {
  const inspector = ['--cli', '--format', 'json', '--quiet', '--protocol-era', options.mode];
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [INSPECTOR, ...inspector, '--method', method, ...rest, '--', ...command],
      { timeout: 30_000, maxBuffer: 16 * 1024 * 1024 },
    );
    return JSON.parse(stdout);
  } catch (error) {
    // What the Inspector said is worth more than the command that it was.
    throw error.stderr ? new Error(error.stderr.trim()) : error;
  }
}
