// Everything that can be listed, read and got.

import { assert } from '../../report.mjs';
import { exampleOf } from '../answers.mjs';

const PAGE_LIMIT = 1000;

export async function run(report, connection) {
  const { client } = connection;

  await report.step('tools/list', async () => {
    connection.expectCapability('tools');
    connection.tools = await allPages(connection, 'tools/list', 'tools');
    for (const tool of connection.tools) {
      assert(typeof tool.name === 'string', 'every tool has a name');
      assert(tool.inputSchema?.type === 'object', `${tool.name} takes an object`);
    }
    await client.listTools();
    return { names: namesOf(connection.tools) };
  });

  await report.step('resources/list', async () => {
    connection.expectCapability('resources');
    connection.resources = await allPages(connection, 'resources/list', 'resources');
    await client.listResources();
    return { names: namesOf(connection.resources) };
  });

  await report.step('resources/templates/list', async () => {
    connection.expectCapability('resources');
    connection.templates = await allPages(connection, 'resources/templates/list', 'resourceTemplates');
    await client.listResourceTemplates();
    return { names: namesOf(connection.templates) };
  });

  await report.step('prompts/list', async () => {
    connection.expectCapability('prompts');
    connection.prompts = await allPages(connection, 'prompts/list', 'prompts');
    await client.listPrompts();
    return { names: namesOf(connection.prompts) };
  });

  await report.step('resources/read', async () => {
    assert(connection.resources.length > 0, 'there is a resource to read');
    const { uri } = connection.resources[0];
    const result = await client.readResource({ uri });
    assert(result.contents.length > 0, 'the resource has contents');
    return { uri };
  });

  await report.step('prompts/get', async () => {
    assert(connection.prompts.length > 0, 'there is a prompt to get');
    const prompt = connection.prompts[0];
    const required = (prompt.arguments ?? []).filter((argument) => argument.required);
    const result = await client.getPrompt({
      name: prompt.name,
      arguments: exampleOf({ required: required.map((argument) => argument.name) }),
    });
    assert(result.messages.length > 0, 'the prompt has messages');
    return { name: prompt.name };
  });
}

async function allPages(connection, method, key) {
  const items = [];
  let cursor;
  for (let page = 0; page < PAGE_LIMIT; page += 1) {
    const result = await connection.request(method, cursor === undefined ? {} : { cursor });
    assert(Array.isArray(result[key]), `${key} is an array`);
    items.push(...result[key]);
    cursor = result.nextCursor;
    if (cursor === undefined) return items;
  }
  throw new Error(`${method} has no last page`);
}

function namesOf(items) {
  return items.map((item) => item.name).slice(0, 40);
}
