import { expect, test } from 'vitest';
import { usualUpgrade } from './install-options.tsx';
import { installRequest, textArguments } from './install-request.ts';

test('[CAND-13] a usual install carries the identifier and the mode only', () => {
  expect(installRequest('id', 'install', textArguments('  '), usualUpgrade)).toEqual({
    identifier: 'id',
    mode: 'install',
  });
});

test('arguments go as text or encoded', () => {
  expect(installRequest('id', 'install', textArguments(' (1) '), usualUpgrade)).toMatchObject({
    argument: '(1)',
  });
  expect(installRequest('id', 'install', { argument_hex: '4449' }, usualUpgrade)).toMatchObject({
    argument_hex: '4449',
  });
});

test('upgrade options are sent with an upgrade only, and only where they were chosen', () => {
  const chosen = { keepMemory: false, skipPreUpgrade: true };
  expect(installRequest('id', 'upgrade', {}, chosen)).toEqual({
    identifier: 'id',
    mode: 'upgrade',
    wasm_memory_persistence: 'replace',
    skip_pre_upgrade: true,
  });
  expect(installRequest('id', 'reinstall', {}, chosen)).toEqual({ identifier: 'id', mode: 'reinstall' });
});
