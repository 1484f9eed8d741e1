// The server: all its tools, resources and prompts, for a client of either era.

import { McpServer } from '@modelcontextprotocol/server';

import * as asks from './asks.mjs';
import * as catalog from './catalog.mjs';
import * as changes from './changes.mjs';
import * as faults from './faults.mjs';
import * as tools from './tools.mjs';

export function interopServer(era) {
  const server = new McpServer(
    { name: 'interop-typescript', version: '1.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true } }, instructions: 'A peer for tests.' },
  );
  tools.add(server);
  asks.add(server);
  faults.add(server);
  catalog.add(server);
  changes.add(server, era);
  return server;
}
