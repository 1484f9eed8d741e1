// The official schemas, out of the suite that brings them. It is one file of JavaScript that does not export them, so
// they are cut out of it: literals without a reference to anything else.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';

const TABLE = /\{"2025-03-26":([\w$]+),"2025-06-18":([\w$]+),"2025-11-25":([\w$]+),\[[\w$]+\]:([\w$]+)\}/;
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/** An object with the schema of each revision that there is one of. */
export function officialSchemas() {
  const manifest = createRequire(import.meta.url).resolve('conformance-0.2/package.json');
  const source = readFileSync(new URL('dist/index.js', `file://${manifest}`), 'utf8');
  const names = TABLE.exec(source)?.slice(1);
  if (names === undefined) throw new Error('the suite has no table of schemas where one was expected');
  return Object.fromEntries(REVISIONS.map((revision, at) => [revision, literal(source, names[at])]));
}

/** The object that a variable begins as. */
function literal(source, name) {
  const start = source.indexOf(`${name}={$schema:`);
  if (start < 0) throw new Error(`the suite has no schema in ${name}`);
  const from = start + name.length + 1;
  return vm.runInNewContext(`(${source.slice(from, end(source, from))})`);
}

/** Where the brace closes that opens at `from`. Braces in strings do not count. */
function end(source, from) {
  let depth = 0;
  let quote;
  for (let at = from; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (quote !== undefined) quote = character === quote ? undefined : quote;
    else if ('`"\''.includes(character)) quote = character;
    else if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  throw new Error('a schema of the suite has no end');
}
