// A stdio server on the official TypeScript SDK 2, for either era: the client's first message decides.

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

import * as asks from './asks.mjs';
import * as catalog from './catalog.mjs';
import * as faults from './faults.mjs';
import * as tools from './tools.mjs';

const serve = ({ era }) => {
  const server = new McpServer(
    { name: 'interop-typescript', version: '1.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true } }, instructions: 'A peer for tests.' },
  );
  tools.add(server);
  asks.add(server);
  faults.add(server);
  catalog.add(server, era);
  return server;
};

serveStdio(serve, { onerror: (error) => console.error(`interop-typescript: ${error.message}`) });
