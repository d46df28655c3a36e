import { expect, test } from 'vitest';
import { canisterIdsText, envFileText, projectEnvironment } from './project-environment.ts';

const ids = new Map([
  ['my-backend', 'aaaaa-aa'],
  ['Web', '2vxsx-fae'],
]);

test('each id has the names that dfx, its older releases and icp-cli give it', () => {
  expect(projectEnvironment(ids, 'local')).toMatchObject({
    DFX_NETWORK: 'local',
    CANISTER_ID_MY_BACKEND: 'aaaaa-aa',
    MY_BACKEND_CANISTER_ID: 'aaaaa-aa',
    ICP_CLI_CID_MY_BACKEND: 'aaaaa-aa',
    CANISTER_ID_WEB: '2vxsx-fae',
    ICP_CLI_ENVIRONMENT: 'local',
  });
});

test('.env keeps what the project has, and its section is written once', () => {
  const once = envFileText('A=1\nB=2\n', { X: 'y' });
  expect(once).toBe(
    "A=1\nB=2\n# DFX CANISTER ENVIRONMENT VARIABLES\nX='y'\n# END DFX CANISTER ENVIRONMENT VARIABLES\n",
  );
  expect(envFileText(once, { X: 'z' })).toBe(once.replace("X='y'", "X='z'"));
  expect(envFileText('', { X: 'y' })).toMatch(/^# DFX/);
  // A section without its end goes to the end of the file.
  expect(envFileText("A=1\n# DFX CANISTER ENVIRONMENT VARIABLES\nX='y'\n", { X: 'z' })).toBe(
    once.replace('B=2\n', '').replace("X='y'", "X='z'"),
  );
});

test('canister_ids.json has each id below the network', () => {
  expect(JSON.parse(canisterIdsText(ids, 'ic'))).toEqual({
    'my-backend': { ic: 'aaaaa-aa' },
    Web: { ic: '2vxsx-fae' },
  });
});
