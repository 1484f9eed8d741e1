// At the end of its input a server exits by itself, with 0, within the 2 s after which the SDK sends signals.

import { performance } from 'node:perf_hooks';

import { assert } from '../../report.mjs';

export async function close(report, connection) {
  await report.step('close', async () => {
    const start = performance.now();
    await connection.client.close();
    const { exit } = connection;
    assert(exit, 'the server has exited');
    assert(!exit.signal, `the server exits by itself, not by ${exit.signal}`);
    assert(exit.code === 0, `the server exits with 0, not ${exit.code}`);
    return { afterMs: Math.round(performance.now() - start) };
  });
}
