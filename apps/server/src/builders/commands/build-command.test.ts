import { describe, expect, test } from 'vitest';
import { planBuild } from './build-command.ts';

describe('what is installed before a build command', () => {
  test.each([
    ['npm run build', [''], [], 'npm run build'],
    ['', [''], [], ''],
    ['npm ci && npm run build', [''], ['npm ci'], 'npm run build'],
    ['npm install', [''], ['npm install'], ''],
    ['yarn && yarn build', [''], ['yarn'], 'yarn build'],
    ['pnpm i --frozen-lockfile && pnpm build', [''], ['pnpm i --frozen-lockfile'], 'pnpm build'],
    ['bun install && bun run build', [''], ['bun install'], 'bun run build'],
    ['yarn install --network-timeout 100000 && yarn build', [''], [/^yarn install/], 'yarn build'],
    ['cd web && npm ci && npm run build', ['web'], ['npm ci'], 'cd web && npm run build'],
    ['cd "my web" && npm i && npm run build', ['my web'], ['npm i'], 'cd "my web" && npm run build'],
    [
      'npm install --prefix frontend && npm run build --prefix frontend',
      ['frontend'],
      ['npm install --prefix frontend'],
      'npm run build --prefix frontend',
    ],
    ['pnpm -C web install && pnpm -C web build', ['web'], ['pnpm -C web install'], 'pnpm -C web build'],
    ['yarn --cwd web build', ['web'], [], 'yarn --cwd web build'],
    ['npm --prefix frontend run build', ['frontend'], [], 'npm --prefix frontend run build'],
    ['npm run build --prefix frontend', ['frontend'], [], 'npm run build --prefix frontend'],
    ['cd site && hugo', ['site'], [], 'cd site && hugo'],
    ['npm install left-pad && npm run build', [''], [], 'npm install left-pad && npm run build'],
    ['npm install --save-dev left-pad', [''], [], 'npm install --save-dev left-pad'],
    ['make && npm ci', [''], ['npm ci'], 'make'],
    [
      'corepack enable && npm i -g pnpm@9 && pnpm install && pnpm --filter web build',
      [''],
      ['corepack enable', 'npm i -g pnpm@9', 'pnpm install'],
      'pnpm --filter web build',
    ],
    [
      'cd a && npm ci && npm run build && cd ../b && npm ci && npm run build',
      ['a', 'b'],
      ['npm ci', 'npm ci'],
      'cd a && npm run build && cd ../b && npm run build',
    ],
    ['echo "a && npm ci" && npm ci', [''], [], 'echo "a && npm ci" && npm ci'],
  ])('%j', (command, installIn, left, rest) => {
    const plan = planBuild(command);
    expect(plan).toMatchObject({ installIn, command: rest });
    expect(plan.left).toEqual(
      left.map((part) => (typeof part === 'string' ? part : expect.stringMatching(part))),
    );
  });

  test('notices that peer packages are not to be checked', () => {
    expect(planBuild('npm install --legacy-peer-deps && npm run build').legacyPeers).toBe(true);
    expect(planBuild('npm install && npm run build').legacyPeers).toBe(false);
  });

  test.each([
    ['pnpm --filter web build', 'pnpm', null],
    ['cd web && bunx vite build', 'bun', null],
    ['make', null, null],
    ['echo yarn', null, null],
    ['corepack enable && pnpm install --frozen-lockfile && npm run build', 'pnpm', 'pnpm'],
    ['npm run clean && yarn && yarn build', 'npm', 'yarn'],
  ])('%j names the tool %s and installs with %s', (command, first, installs) =>
    expect(planBuild(command).tools).toEqual({ first, installs }),
  );
});
