// Sits between a client and a stdio server and writes every line of both directions to a file.
//
//   node tap.mjs [--whole] FILE COMMAND [ARGUMENT ...]
//
// Bytes pass untouched; the end of input and signals are passed on. A line of the file is a JSON object: `from` names
// the side that wrote `line`; `event` tells of a start, a signal or an exit. Long lines are shortened, unless `--whole`.

import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import process from 'node:process';

const whole = process.argv[2] === '--whole';
const LONGEST_LINE = whole ? Infinity : 4000;

const [file, program, ...rest] = process.argv.slice(whole ? 3 : 2);
if (!program) {
  console.error('usage: node tap.mjs [--whole] FILE COMMAND [ARGUMENT ...]');
  process.exit(2);
}

const start = Date.now();
const server = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
note({ event: 'start', environment: Object.keys(process.env).sort() });

pass(process.stdin, server.stdin, 'client');
pass(server.stdout, process.stdout, 'server');

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    note({ event: signal });
    server.kill(signal);
  });
}

server.on('close', (code, signal) => {
  note({ event: 'exit', code, signal });
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});

function pass(input, output, from) {
  // The reader may be gone already: the exit will tell.
  output.on('error', () => {});
  input.pipe(output);
  // Not `readline`, which also ends lines at U+2028 and U+2029.
  let partial = '';
  input.setEncoding('utf8');
  input.on('data', (text) => {
    const lines = (partial + text).split('\n');
    partial = lines.pop();
    for (const line of lines) note({ from, line: shorten(line) });
  });
  input.on('end', () => note({ from, event: 'end of output', partial }));
}

function shorten(line) {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}...[${line.length}]`;
}

function note(entry) {
  appendFileSync(file, `${JSON.stringify({ ms: Date.now() - start, pid: process.pid, ...entry })}\n`);
}
