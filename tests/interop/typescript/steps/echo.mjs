// The echo tool: payloads that a careless framing would break, a large one, and many at once.

import { performance } from 'node:perf_hooks';

import { assert, describeError } from '../../report.mjs';

const BIG = 1_000_000;

const HARD_TO_FRAME = [
  '',
  'a\nb\r\nc',
  '\u2028\u2029\u0085',
  '\u0000\u0001\u001f',
  'h\u00e9llo \u4f60\u597d \u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '"\\/\b\f\t',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
];

export async function run(report, connection, { calls }) {
  await report.step('echo', async () => ({ text: await connection.echo('hello') }));

  await report.step('echo framing', async () => {
    for (const message of HARD_TO_FRAME) await connection.echo(message);
    return { messages: HARD_TO_FRAME.length };
  });

  await report.step('echo big', async () => {
    await connection.echo('x'.repeat(BIG));
    return { bytes: BIG };
  });

  await report.step('echo concurrent', async () => {
    const start = performance.now();
    const messages = Array.from({ length: calls }, (_, i) => `call ${i} ${'y'.repeat(i % 97)} end`);
    const results = await Promise.allSettled(messages.map((message) => connection.echo(message)));
    const failures = results.filter((result) => result.status === 'rejected');
    assert(
      failures.length === 0,
      `${failures.length} of ${calls} calls failed, first: ${JSON.stringify(describeError(failures[0]?.reason))}`,
    );
    return { calls, callsPerSecond: Math.round((calls / (performance.now() - start)) * 1000) };
  });
}
