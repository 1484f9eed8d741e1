// Tools that ask the client. They return what they want to know and are called again with the answer; for a client of
// the legacy era the SDK makes requests of it.

import assert from 'node:assert/strict';

import { inputRequired, inputResponse } from '@modelcontextprotocol/server';
import * as z from 'zod';

import { text } from './tools.mjs';

// It has to come back as it is: line breaks of other writers, characters that need escapes, half a surrogate pair.
const STATE = '{"kept":\t"by the client",\n"a\\/b": 1.0} \u0000\u001f\u2028\u00e9 \u{1f600} \ud800';

export function add(server) {
  server.registerTool(
    'elicit',
    {
      description: 'Asks the user a question, and gives the answer',
      inputSchema: z.object({ question: z.string() }),
    },
    answering(({ question }) => askUser(question)),
  );

  server.registerTool(
    'sampling',
    {
      description: "Asks the client's model, and gives the answer",
      inputSchema: z.object({ prompt: z.string() }),
    },
    answering(({ prompt }) => askModel(prompt)),
  );

  server.registerTool(
    'list_roots',
    { description: "Gives the client's roots", inputSchema: z.object({}) },
    answering(() => inputRequired.listRoots()),
  );

  server.registerTool(
    'interview',
    { description: 'Asks two things at once, and then another, and gives all answers', inputSchema: z.object({}) },
    async (_parameters, { mcpReq }) => {
      const state = mcpReq.requestState();
      if (state === undefined) {
        const inputRequests = { user: askUser('Who are you?'), roots: inputRequired.listRoots() };
        return inputRequired({ inputRequests, requestState: 'begun' });
      }
      const { inputResponses } = mcpReq;
      if (state === 'begun') {
        const { user, roots } = inputResponses;
        const inputRequests = { model: askModel('And you?') };
        return inputRequired({ inputRequests, requestState: JSON.stringify({ user, roots }) });
      }
      return text(JSON.stringify({ ...JSON.parse(state), model: inputResponses.model }));
    },
  );
}

function askUser(message) {
  return inputRequired.elicit({ message, requestedSchema: z.object({ answer: z.string() }) });
}

function askModel(prompt) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });
}

// The handler of a tool that asks once, and gives the answer as JSON.
function answering(question) {
  return async (parameters, { mcpReq }) => {
    const { kind, ...answer } = inputResponse(mcpReq.inputResponses, 'answer');
    if (kind === 'missing') {
      return inputRequired({ inputRequests: { answer: question(parameters) }, requestState: STATE });
    }
    // For a client of the legacy era the SDK keeps it.
    assert.equal(mcpReq.requestState(), STATE);
    return text(JSON.stringify(answer));
  };
}
