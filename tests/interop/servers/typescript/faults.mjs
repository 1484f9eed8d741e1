// Tools that misbehave.

import process from 'node:process';

import * as z from 'zod';

import { text } from './tools.mjs';

export function add(server) {
  server.registerTool(
    'die',
    { description: 'Ends the process with this code, and no answer', inputSchema: z.object({ code: z.int() }) },
    async ({ code }) => process.exit(code),
  );

  server.registerTool(
    'garbage',
    { description: 'Writes a line that is no message, and answers', inputSchema: z.object({}) },
    async () => {
      process.stdout.write('this line is not JSON\n');
      return text('written');
    },
  );
}
