// What a driver prints: one JSON object for each step, then a summary.

import { performance } from 'node:perf_hooks';
import process from 'node:process';

const STEP_LIMIT_MS = 60_000;

// Thrown by a step that has nothing to do here, and that may be left out.
export class Skip extends Error {}

// Thrown by a step whose method the negotiated revision has removed.
export function removedIn(revision) {
  return new Skip(`does not exist in ${revision}`);
}

export function assert(condition, message) {
  if (!condition) throw new Error(`assertion: ${message}`);
}

export function describeError(error) {
  return {
    name: error?.name,
    code: error?.code,
    message: String(error?.message ?? error).slice(0, 300),
  };
}

export class Report {
  #counts = { pass: 0, skip: 0, fail: 0 };
  #failed = [];

  // Runs one step and prints how it ended. The body returns what is worth printing beside it.
  // Gives the body's value, or undefined if it skipped or failed.
  async step(name, body) {
    const start = performance.now();
    const elapsed = () => Math.round(performance.now() - start);
    try {
      const details = (await withLimit(body(), STEP_LIMIT_MS)) ?? {};
      this.#print(name, 'pass', elapsed(), details);
      return details;
    } catch (error) {
      if (error instanceof Skip) this.#print(name, 'skip', elapsed(), { why: error.message });
      else this.#print(name, 'fail', elapsed(), { error: describeError(error) });
      return undefined;
    }
  }

  // Prints a failure that no step stands for.
  fail(name, details) {
    this.#print(name, 'fail', 0, details);
  }

  // Prints the summary and gives the exit code that belongs to it.
  summarize() {
    const status = this.#failed.length === 0 ? 'pass' : 'fail';
    printLine({ step: 'summary', status, ...this.#counts, failed: this.#failed });
    return status === 'pass' ? 0 : 1;
  }

  #print(name, status, milliseconds, details) {
    this.#counts[status] += 1;
    if (status === 'fail') this.#failed.push(name);
    printLine({ step: name, status, ms: milliseconds, ...details });
  }
}

function printLine(object) {
  process.stdout.write(`${JSON.stringify(object)}\n`);
}

async function withLimit(work, milliseconds) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the step took more than ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
