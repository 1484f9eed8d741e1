// Tools that make the server ask the client.

import { assert } from '../../report.mjs';
import { exampleOf } from '../answers.mjs';
import { textOf } from '../connection.mjs';

export async function run(report, connection) {
  await asks(report, connection, 'sampling', 'sampl');
  await asks(report, connection, 'elicitation', 'elicit');
  await asks(report, connection, 'roots', 'roots');
  await interview(report, connection);
}

// Asks for one thing after another: in the modern era in as many rounds, between which the client keeps what it has said.
async function interview(report, connection) {
  await report.step('interview', async () => {
    const result = await connection.callTool('interview', {});
    const text = textOf(result);
    assert(!result.isError, `the interview succeeds, not: ${text.slice(0, 200)}`);
    for (const answer of ['interop', 'sampled by the driver', 'file:///project']) {
      assert(text.includes(answer), `${text} holds the answer ${answer}`);
    }
  });
}

async function asks(report, connection, kind, partOfName) {
  await report.step(kind, async () => {
    // Listed again, since a server may add such tools once it knows what the client can do.
    const { tools } = await connection.request('tools/list');
    const tool = tools.find(({ name }) => name.includes(partOfName) && !/async|url/.test(name));
    assert(tool, `there is a tool with "${partOfName}" in its name`);
    const result = await connection.callTool(tool.name, exampleOf(tool.inputSchema));
    assert(!result.isError, `${tool.name} succeeds, not: ${textOf(result).slice(0, 200)}`);
    assert(connection.answers.asked[kind] > 0, 'the client was asked');
    return { tool: tool.name, text: textOf(result).slice(0, 100) };
  });
}
