// A server on the official TypeScript SDK 2, for either era: the client's first message decides.

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'typescript-server', version: '1.0.0' });
  server.registerTool(
    'echo',
    { description: 'Gives back a message', inputSchema: z.object({ message: z.string() }) },
    async ({ message }) => ({ content: [{ type: 'text', text: message }] }),
  );
  // What follows is there to be compared, not measured. Its answers are those of our server `everything`.
  server.registerTool(
    'slow',
    { description: 'Takes so many milliseconds', inputSchema: z.object({ ms: z.number() }) },
    async ({ ms }) => {
      await sleep(ms);
      return { content: [{ type: 'text', text: `1 steps in ${ms} ms` }] };
    },
  );
  server.registerTool('boom', { description: 'Throws', inputSchema: z.object({}) }, async () => {
    throw new Error('boom, as asked');
  });
  server.registerTool(
    'stray_print',
    { description: 'Prints to standard output', inputSchema: z.object({}) },
    async () => {
      console.log('a stray line');
      return { content: [{ type: 'text', text: 'printed' }] };
    },
  );
  return server;
});
