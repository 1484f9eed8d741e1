// Tools that need nobody else.

import { setTimeout as sleep } from 'node:timers/promises';

import * as z from 'zod';

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export function add(server) {
  server.registerTool(
    'echo',
    { description: 'Gives the message back', inputSchema: z.object({ message: z.string() }) },
    async ({ message }) => text(message),
  );

  server.registerTool(
    'slow',
    {
      description: 'Takes its time, and tells its progress',
      inputSchema: z.object({ ms: z.number(), steps: z.int().positive() }),
    },
    async ({ ms, steps }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (let progress = 1; progress <= steps; progress += 1) {
        await sleep(ms / steps, undefined, { signal: mcpReq.signal });
        if (progressToken === undefined) continue;
        const params = { progressToken, progress, total: steps };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return text(`took ${ms} ms`);
    },
  );

  server.registerTool(
    'log',
    {
      description: 'Logs a text',
      inputSchema: z.object({ level: z.enum(LEVELS), text: z.string() }),
    },
    async (line, { mcpReq }) => {
      await mcpReq.log(line.level, line.text, 'interop');
      return text('logged');
    },
  );
}

export function text(content) {
  return { content: [{ type: 'text', text: content }] };
}
