// The small methods beside tools, resources and prompts.

import { assert, removedIn } from '../../report.mjs';

export async function ping(report, connection) {
  await report.step('ping', async () => {
    if (connection.isModern) throw removedIn(connection.revision);
    await connection.client.ping({ timeout: 5000 });
  });
}

export async function run(report, connection) {
  const { client } = connection;

  await report.step('completion/complete', async () => {
    connection.expectCapability('completions');
    const reference = somethingToComplete(connection);
    assert(reference, 'there is an argument to complete');
    const result = await client.complete(reference, { timeout: 5000 });
    assert(Array.isArray(result.completion.values), 'the values are an array');
    return { values: result.completion.values.slice(0, 5) };
  });
}

function somethingToComplete({ prompts, templates }) {
  const withArguments = prompts.filter((prompt) => prompt.arguments?.length > 0);
  const prompt = withArguments.find(({ name }) => name.includes('complet')) ?? withArguments[0];
  if (prompt) {
    return {
      ref: { type: 'ref/prompt', name: prompt.name },
      argument: { name: prompt.arguments[0].name, value: '' },
    };
  }
  for (const { uriTemplate } of templates) {
    const variable = /\{(\w+)\}/.exec(uriTemplate)?.[1];
    if (variable) {
      return { ref: { type: 'ref/resource', uri: uriTemplate }, argument: { name: variable, value: '' } };
    }
  }
  return undefined;
}
