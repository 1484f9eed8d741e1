// The same server as it would be before the modern era, and a fragile one: it exits unless it is asked `initialize` first.
//
//   node fragile.mjs FILE
//
// FILE takes what each start was asked first, a line for each; the tool `starts` gives that as JSON.

import { appendFileSync, readFileSync } from 'node:fs';
import process from 'node:process';

import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

import { interopServer } from './server.mjs';
import { text } from './tools.mjs';

const [file] = process.argv.slice(2);

process.stdin.once('data', async (chunk) => {
  process.stdin.pause();
  const [line] = chunk.toString().split('\n', 1);
  const { method } = JSON.parse(line);
  appendFileSync(file, `${method}\n`);
  if (method !== 'initialize') process.exit(1);

  process.stdin.unshift(chunk);
  const server = interopServer('legacy');
  server.registerTool(
    'starts',
    { description: 'Gives what each start was asked first', inputSchema: z.object({}) },
    async () => text(JSON.stringify(readFileSync(file, 'utf8').trim().split('\n'))),
  );
  await server.connect(new StdioServerTransport());
  process.stdin.resume();
});
