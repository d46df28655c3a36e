import { expect, test } from 'vitest';
import { isLoopback } from '../../lib/text/public-address.ts';
import { hookHostOf } from './host-guide.tsx';

test('the kind of git host is read from the address of the repository', () => {
  expect(
    [
      'https://github.com/o/r',
      'https://gitlab.com/o/r',
      'https://gitlab.example.org/o/r',
      'https://bitbucket.org/o/r',
      'https://codeberg.org/o/r',
      'https://git.example.org/github/r',
      'no address',
    ].map(hookHostOf),
  ).toEqual(['github', 'gitlab', 'gitlab', 'bitbucket', 'gitea', 'gitea', 'gitea']);
});

test('an address of this very computer is told from others', () => {
  const of = (host: string): boolean => isLoopback(`http://${host}:4000/api/hooks/deploy/x`);
  expect(['localhost', 'a.localhost', '127.0.0.1', '[::1]'].map(of)).toEqual([true, true, true, true]);
  expect(['console.example.org', '10.0.0.1', 'localhost.example.org'].map(of)).toEqual([false, false, false]);
});
