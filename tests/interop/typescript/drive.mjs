// Drives a stdio server with an official TypeScript client.
//
//   node drive.mjs [--sdk 1|2] [--mode legacy|auto|modern] [--era legacy|modern] [--calls NUMBER]
//       -- COMMAND [ARGUMENT ...]
//
// `--mode` is what the client tries, `--era` is what has to come of it.
//
// Exit code: 0 when no step failed, 1 when one did, 2 for a wrong command line, 3 when the whole run hung.

import process from 'node:process';
import { parseArgs } from 'node:util';

import { Report } from '../report.mjs';
import { Connection } from './connection.mjs';
import * as asks from './steps/asks.mjs';
import * as cancellation from './steps/cancellation.mjs';
import * as changes from './steps/changes.mjs';
import { close } from './steps/close.mjs';
import * as echo from './steps/echo.mjs';
import * as errors from './steps/errors.mjs';
import * as lists from './steps/lists.mjs';
import * as utilities from './steps/utilities.mjs';

const RUN_LIMIT_MS = 180_000;

const { values: options, positionals: command } = readCommandLine();
const report = new Report();
const sdk = await import(`./sdk-${options.sdk}.mjs`);
const connection = new Connection(sdk, { mode: options.mode, era: options.era, command });

// A hung server must not hang the run: this is the last resort.
setTimeout(() => {
  report.fail('run limit', { error: { message: `the run took more than ${RUN_LIMIT_MS} ms` } });
  connection.kill();
  process.exit(3);
}, RUN_LIMIT_MS).unref();

if (await report.step('connect', () => connection.open())) {
  const calls = Number(options.calls);
  await utilities.ping(report, connection);
  await lists.run(report, connection);
  await echo.run(report, connection, { calls });
  await errors.run(report, connection);
  await cancellation.run(report, connection);
  await utilities.run(report, connection);
  await changes.run(report, connection);
  await asks.run(report, connection);
  await close(report, connection);
} else {
  await connection.client.close().catch(() => {});
}
process.exit(report.summarize());

function readCommandLine() {
  try {
    const line = parseArgs({
      options: {
        sdk: { type: 'string', default: '1' },
        mode: { type: 'string', default: 'legacy' },
        era: { type: 'string' },
        calls: { type: 'string', default: '200' },
      },
      allowPositionals: true,
    });
    if (line.positionals.length === 0) throw new Error('name the server command after --');
    if (!['1', '2'].includes(line.values.sdk)) throw new Error('--sdk is 1 or 2');
    if (line.values.sdk === '1' && line.values.mode !== 'legacy') {
      throw new Error('SDK 1 has only --mode legacy');
    }
    return line;
  } catch (error) {
    console.error(`drive.mjs: ${error.message}`);
    process.exit(2);
  }
}
