import { describe, expect, test } from 'vitest';
import { planBuild } from './build-command.ts';

describe('what is installed before a build command', () => {
  test.each([
    ['npm run build', '', null, 'npm run build'],
    ['', '', null, ''],
    ['npm ci && npm run build', '', 'npm ci', 'npm run build'],
    ['npm install', '', 'npm install', ''],
    ['yarn && yarn build', '', 'yarn', 'yarn build'],
    ['pnpm i --frozen-lockfile && pnpm build', '', 'pnpm i --frozen-lockfile', 'pnpm build'],
    ['cd web && npm ci && npm run build', 'web', 'npm ci', 'cd web && npm run build'],
    ['cd "my web" && npm i && npm run build', 'my web', 'npm i', 'cd "my web" && npm run build'],
    [
      'npm install --prefix frontend && npm run build --prefix frontend',
      'frontend',
      'npm install --prefix frontend',
      'npm run build --prefix frontend',
    ],
    ['npm --prefix frontend run build', 'frontend', null, 'npm --prefix frontend run build'],
    ['npm run build --prefix frontend', 'frontend', null, 'npm run build --prefix frontend'],
    ['cd site && hugo', 'site', null, 'cd site && hugo'],
    ['npm install left-pad && npm run build', '', null, 'npm install left-pad && npm run build'],
    ['make && npm ci', '', null, 'make && npm ci'],
  ])('%j', (command, installIn, written, rest) => {
    expect(planBuild(command)).toMatchObject({ installIn, written, command: rest });
  });

  test('notices that peer packages are not to be checked', () => {
    expect(planBuild('npm install --legacy-peer-deps && npm run build').legacyPeers).toBe(true);
    expect(planBuild('npm install && npm run build').legacyPeers).toBe(false);
  });
});
