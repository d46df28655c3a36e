import { describe, expect, test } from 'vitest';
import { canisterStatuses, installModes } from '../canister/canister.ts';
import { createDeployForm, deployEndpoints, deployTimers } from './deploy.ts';
import { deployTypeOf, deployTypes } from './deploy-type.ts';
import { deployStatuses, isDeployMove } from './run.ts';

test('[CONST-08] the closed lists and their defaults', () => {
  expect(deployTypes).toEqual(['STATIC_SITE', 'MOTOKO', 'CUSTOM']);
  expect(deployTypeOf(undefined)).toBe('STATIC_SITE');
  expect(installModes).toEqual(['install', 'upgrade', 'reinstall']);
  expect(deployStatuses).toEqual(['SCHEDULED', 'RUNNING', 'COMPLETED', 'FAILED']);
  expect(canisterStatuses).toEqual(['running', 'stopped']);
});

test('[CONST-03] intervals in milliseconds', () => {
  expect(deployTimers).toEqual({ pollInstance: 2000, refreshLists: 5000, firstTriggerDelay: 4000 });
});

describe('create-deploy form', () => {
  const filled = { name: 'site', branch: 'main', build_cmd: '', publish_dir: 'dist' };

  test("[VAL-22] a publish directory with '..' is refused", () => {
    for (const publish_dir of ['..', '../etc', './../etc', 'dist/..', 'dist/../../etc', 'dist..old']) {
      const parsed = createDeployForm.safeParse({ ...filled, publish_dir });
      expect(parsed.error?.issues[0]?.message, publish_dir).toBe('Invalid publish directory');
    }
    for (const publish_dir of ['', '.', './dist', 'out/site.d']) {
      expect(createDeployForm.safeParse({ ...filled, publish_dir }).success, publish_dir).toBe(true);
    }
  });

  test.each(['name', 'branch'] as const)("[VAL-21] an empty %s is 'Required'", (field) => {
    const parsed = createDeployForm.safeParse({ ...filled, [field]: ' ' });
    expect(parsed.error?.issues[0]?.message).toBe('Required');
  });
});

test('a finished run never moves again', () => {
  for (const to of deployStatuses) {
    expect(isDeployMove('COMPLETED', to)).toBe(false);
    expect(isDeployMove('FAILED', to)).toBe(false);
  }
  expect(isDeployMove('SCHEDULED', 'COMPLETED')).toBe(false);
});

test('an install argument is for a canister that has a name', () => {
  const update = (canister: string) =>
    deployEndpoints.update.body?.safeParse({ install_arguments: [{ canister, argument: '()' }] }).success;
  expect(update('main')).toBe(true);
  for (const blank of ['', ' ', '\t\n', '\u00a0']) expect(update(blank)).toBe(false);
});
