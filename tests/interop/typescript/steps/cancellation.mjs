// A slow tool: its progress, its cancellation, its time-out.

import { assert } from '../../report.mjs';
import { textOf } from '../connection.mjs';
import { isTimeout, rejectionOf } from './errors.mjs';

const STEPS = 5;

export async function run(report, connection) {
  await report.step('progress', async () => {
    const values = [];
    const result = await callSlow(connection, {
      milliseconds: 1000,
      onprogress: ({ progress }) => values.push(progress),
    });
    assert(!result.isError, `the slow tool succeeds, not: ${textOf(result)}`);
    // The SDK sometimes loses the notification right before the result, so the last value is not asked for.
    assert(values.length > 0, 'progress is told');
    assert(values.every((value, i) => i === 0 || value > values[i - 1]), `progress rises: ${values}`);
    return { values };
  });

  await report.step('cancel', async () => {
    const { wire } = connection;
    const controller = new AbortController();
    let request;
    const call = callSlow(connection, {
      milliseconds: 2000,
      // The first progress shows that the call is running by then.
      onprogress: () => {
        request ??= wire.latestRequest('tools/call');
        controller.abort('the driver cancels');
      },
      signal: controller.signal,
    });
    assert(await rejectionOf(call), 'the cancelled call ends with an error');
    await connection.echo('after the cancellation', { timeout: 5000 });
    // A second call, begun later and as long, ends after the first would have.
    await callSlow(connection, { milliseconds: 2000 });
    assert(!wire.isAnswered(request), `the cancelled request ${request.id} is not answered`);
    const progress = wire.progressOf(request);
    assert(progress < STEPS, `the cancelled request stops, not: progress ${progress} of ${STEPS}`);
    return { id: request.id, progress };
  });

  await report.step('timeout', async () => {
    const error = await rejectionOf(callSlow(connection, { milliseconds: 3000, timeout: 300 }));
    assert(error && isTimeout(error), `the call times out, not: ${error?.code} ${error?.message}`);
    await connection.echo('after the time-out', { timeout: 5000 });
    return { code: error.code };
  });
}

// The arguments of the slow tool, by the names that servers give it.
const SLOW_TOOLS = {
  slow: (milliseconds) => ({ ms: milliseconds, steps: STEPS }),
  'trigger-long-running-operation': (milliseconds) => ({ duration: milliseconds / 1000, steps: STEPS }),
};

function callSlow(connection, { milliseconds, ...options }) {
  const tool = connection.tools.find((candidate) => candidate.name in SLOW_TOOLS);
  assert(tool, `there is a slow tool: ${Object.keys(SLOW_TOOLS).join(' or ')}`);
  return connection.callTool(tool.name, SLOW_TOOLS[tool.name](milliseconds), {
    timeout: 20_000,
    ...options,
  });
}
