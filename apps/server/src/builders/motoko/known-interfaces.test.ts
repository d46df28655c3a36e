import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { knownInterface, managementInterfaces } from './known-interfaces.ts';

const folder = fileURLToPath(new URL('./interfaces', import.meta.url));
const declarations = join(
  dirname(createRequire(import.meta.url).resolve('@icp-sdk/canisters')),
  'declarations',
);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.did'),
);

test('the interfaces are those of the public package, letter for letter', () => {
  expect(files).toHaveLength(8);
  for (const file of files)
    expect(readFileSync(join(folder, file), 'utf8'), file).toBe(
      readFileSync(join(declarations, file), 'utf8'),
    );
});

test('an address at GitHub leads to the interface of that canister, another one to none', async () => {
  expect(await knownInterface('https://raw.githubusercontent.com/dfinity/ic/main/rs/nns/cmc/cmc.did')).toBe(
    readFileSync(join(declarations, 'cmc/cmc.did'), 'utf8'),
  );
  expect(await knownInterface('https://example.com/other.did')).toBeNull();
  const [today] = managementInterfaces();
  expect(today).toContain('install_chunked_code');
});
