// A server on the official TypeScript SDK 2, for either era: the client's first message decides.

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'typescript-server', version: '1.0.0' });
  server.registerTool(
    'echo',
    { description: 'Gives back a message', inputSchema: z.object({ message: z.string() }) },
    async ({ message }) => ({ content: [{ type: 'text', text: message }] }),
  );
  return server;
});
