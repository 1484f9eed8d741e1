// Tools that tell of changes: nothing has changed, but that is what clients have to be told of.

import * as z from 'zod';

import { text } from './tools.mjs';

export function add(server, era) {
  const subscribed = new Set();

  server.registerTool(
    'touch',
    {
      description: 'Tells those who subscribed to a resource that it has changed',
      inputSchema: z.object({ uri: z.string() }),
    },
    async ({ uri }) => {
      // In the modern era the SDK knows who wants to be told.
      if (era === 'modern' || subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
      return text('touched');
    },
  );

  server.registerTool(
    'change_list',
    {
      description: 'Tells that a list has changed',
      inputSchema: z.object({ list: z.enum(['prompts', 'resources', 'tools']) }),
    },
    async ({ list }) => {
      if (list === 'prompts') await server.server.sendPromptListChanged();
      else if (list === 'resources') await server.server.sendResourceListChanged();
      else await server.server.sendToolListChanged();
      return text('changed');
    },
  );

  // In the modern era the SDK answers `subscriptions/listen`; these two are left to the server.
  if (era === 'legacy') {
    server.server.setRequestHandler('resources/subscribe', async ({ params }) => {
      subscribed.add(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
      subscribed.delete(params.uri);
      return {};
    });
  }
}
