import { programOf } from './install.mjs';
import { run } from './project.mjs';

/**
 * Everything that needs no running product; says of each step whether it passed.
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @returns {number} how many steps failed
 */
export function check({ node, env }) {
  const steps = [
    ['types', programOf('typescript'), '-p', 'tsconfig.json'],
    ['types of the console', programOf('typescript'), '-p', 'apps/console/tsconfig.json'],
    ['lint and cycles', programOf('oxlint'), '--deny-warnings', '--quiet'],
    ['format', programOf('@biomejs/biome'), 'format'],
    ['layers', 'scripts/check-layers.ts'],
    ['readers of foreign text', 'scripts/check-readers.ts'],
    ['file sizes', 'scripts/check-sizes.ts'],
    ['fields of the console', 'scripts/check-fields.ts'],
    ['dead code', programOf('knip'), '--treat-config-hints-as-errors'],
    ['management interface', 'scripts/check-ic-did.ts'],
  ];
  let failed = 0;
  for (const [name, ...args] of steps) {
    const ok = run(node, args, { env }) === 0;
    process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name}\n`);
    if (!ok) failed += 1;
  }
  return failed;
}
