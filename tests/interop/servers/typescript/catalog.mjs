// Resources, listed in pages, and a prompt whose argument can be completed.

import { completable, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';

const PAGE = 2;
const COUNT = 5;
const LANGUAGES = ['English', 'Esperanto', 'French', 'German', 'Greek'];

export function add(server) {
  for (let number = 1; number <= COUNT; number += 1) {
    server.registerResource(`note ${number}`, uriOf(number), {}, async ({ href }) => ({
      contents: [{ uri: href, text: `this is note ${number}` }],
    }));
  }
  // The SDK would list them all on one page.
  server.server.setRequestHandler('resources/list', async ({ params }) => page(params?.cursor));

  server.registerPrompt(
    'greet',
    {
      description: 'Asks for a greeting',
      argsSchema: z.object({ language: completable(z.string(), startingWith) }),
    },
    async ({ language }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Please greet me in ${language}.` } }],
    }),
  );
}

function uriOf(number) {
  return `note://${number}`;
}

// One page, which begins with the number that the cursor stands for.
function page(cursor = '1') {
  const first = Number(cursor);
  if (!Number.isInteger(first)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no page ${cursor}`);
  }
  const next = first + PAGE;
  const numbers = Array.from({ length: PAGE }, (_, i) => first + i).filter((number) => number <= COUNT);
  return {
    resources: numbers.map((number) => ({ uri: uriOf(number), name: `note ${number}` })),
    ...(next <= COUNT && { nextCursor: String(next) }),
  };
}

function startingWith(beginning) {
  const begun = beginning.toLowerCase();
  return LANGUAGES.filter((language) => language.toLowerCase().startsWith(begun));
}
