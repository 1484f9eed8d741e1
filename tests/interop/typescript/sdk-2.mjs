// SDK 2: `legacy` shakes hands, `auto` probes with server/discover first, `modern` is pinned to 2026-07-28.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

// Lets a result of any shape through.
export const anyResult = {
  '~standard': { version: 1, vendor: 'interop', validate: (value) => ({ value }) },
};

const NOTIFICATIONS = [
  'notifications/message',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/tools/list_changed',
];

export function createClient({ information, capabilities, answers, notifications, mode }) {
  const client = new Client(information, {
    capabilities,
    versionNegotiation: {
      mode: mode === 'modern' ? { pin: '2026-07-28' } : mode,
      probe: { timeoutMs: 10_000 },
    },
  });
  client.setRequestHandler('sampling/createMessage', async () => answers.sampling());
  client.setRequestHandler('elicitation/create', async (request) => answers.elicitation(request.params));
  client.setRequestHandler('roots/list', async () => answers.roots());
  for (const method of NOTIFICATIONS) {
    client.setNotificationHandler(method, (notification) => notifications.receive(notification));
  }
  return client;
}

export function createTransport(parameters) {
  return new StdioClientTransport(parameters);
}

export function callTool(client, parameters, options) {
  return client.callTool(parameters, options);
}
