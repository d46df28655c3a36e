#!/usr/bin/env node
// The program of the npm package of the network. An older Node has to be able to read this file, to be told that it is too old.

/** Canisters of Motoko need 64-bit memories and tables, which V8 runs since the one of Node 24 (scripts/steps/choose-node.mjs). */
const OLDEST_MAJOR = 24;

const { node } = process.versions;
if (Number.parseInt(node, 10) >= OLDEST_MAJOR)
  await import(new URL('./dist/programs/network.mjs', import.meta.url).href);
else {
  process.stderr.write(
    `cannery-network needs Node ${OLDEST_MAJOR} or newer, and this is Node ${node}. https://nodejs.org has newer ones.\n`,
  );
  process.exitCode = 1;
}
