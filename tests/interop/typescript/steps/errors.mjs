// What does not exist is refused, not ignored.

import { assert } from '../../report.mjs';

const METHOD_NOT_FOUND = -32601;
// How the SDK reports its own time-out.
const REQUEST_TIMEOUT = -32001;

export async function run(report, connection) {
  await report.step('unknown method', async () => {
    const error = await rejectionOf(connection.request('interop/no-such-method'));
    assert(error, 'an unknown method is refused');
    assert(error.code === METHOD_NOT_FOUND, `${METHOD_NOT_FOUND}, not ${error.code}: ${error.message}`);
    return { code: error.code, message: error.message };
  });

  // The revisions differ in how: a JSON-RPC error or a result with `isError`. Clients take both.
  await report.step('unknown tool', async () => {
    try {
      const result = await connection.request('tools/call', { name: 'no-such-tool', arguments: {} });
      assert(result.isError === true, 'an unknown tool is an error');
      return { as: 'result with isError' };
    } catch (error) {
      assert(
        Number.isInteger(error.code) && !isTimeout(error),
        `a JSON-RPC error, not ${error.code}: ${error.message}`,
      );
      return { as: 'JSON-RPC error', code: error.code };
    }
  });
}

// The error that a promise ends with, or undefined if it ends well.
export function rejectionOf(promise) {
  return promise.then(
    () => undefined,
    (error) => error,
  );
}

// SDK 1 numbers its time-out, SDK 2 names it.
export function isTimeout(error) {
  return error.code === REQUEST_TIMEOUT || error.code === 'REQUEST_TIMEOUT';
}
