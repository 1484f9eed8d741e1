// A stdio server on the official TypeScript SDK 2, for either era: the client's first message decides.

import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { interopServer } from './server.mjs';

serveStdio(({ era }) => interopServer(era), {
  onerror: (error) => console.error(`interop-typescript: ${error.message}`),
});
