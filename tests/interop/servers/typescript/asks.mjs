// Tools that ask the client. They return what they want to know and are called again with the answer; for a client of
// the legacy era the SDK makes requests of it.

import { inputRequired, inputResponse } from '@modelcontextprotocol/server';
import * as z from 'zod';

import { text } from './tools.mjs';

export function add(server) {
  server.registerTool(
    'elicit',
    {
      description: 'Asks the user a question, and gives the answer',
      inputSchema: z.object({ question: z.string() }),
    },
    answering(({ question }) =>
      inputRequired.elicit({ message: question, requestedSchema: z.object({ answer: z.string() }) }),
    ),
  );

  server.registerTool(
    'sampling',
    {
      description: "Asks the client's model, and gives the answer",
      inputSchema: z.object({ prompt: z.string() }),
    },
    answering(({ prompt }) =>
      inputRequired.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      }),
    ),
  );

  server.registerTool(
    'list_roots',
    { description: "Gives the client's roots", inputSchema: z.object({}) },
    answering(() => inputRequired.listRoots()),
  );
}

// The handler of a tool that asks once, and gives the answer as JSON.
function answering(question) {
  return async (parameters, { mcpReq }) => {
    const { kind, ...answer } = inputResponse(mcpReq.inputResponses, 'answer');
    if (kind === 'missing') {
      return inputRequired({ inputRequests: { answer: question(parameters) } });
    }
    return text(JSON.stringify(answer));
  };
}
