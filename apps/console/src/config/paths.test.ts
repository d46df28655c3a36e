import { GITHUB_CALLBACK_PATH, GITHUB_PATH } from '@cannery/contract';
import { expect, test } from 'vitest';
import { paths } from './paths.ts';

test('the pages that lead to GitHub and back are where the service sends people', () => {
  expect(paths.gitHub).toBe(GITHUB_PATH);
  expect(paths.gitHubConnected).toBe(GITHUB_CALLBACK_PATH);
});
