import { expect, test } from 'vitest';
import { LogModel, type LogSnapshot } from '../log/log-model.ts';
import { clockText, phaseCourse } from './run-phases.tsx';

function log(...lines: readonly (readonly [phase: string, at: number])[]): LogSnapshot {
  const model = new LogModel();
  for (const [phase, at] of lines) model.append({ text: 'x', at, after: [0], phase });
  return model.snapshot();
}

const course = (status: string | null, ...lines: readonly (readonly [string, number])[]) =>
  phaseCourse(status, log(...lines)).map(({ phase, state, took }) => [phase, state, took]);

test('each phase lasts until the next begins, and the last one until the last line', () => {
  expect(
    course(
      'COMPLETED',
      ['checkout', 100],
      ['build', 300],
      ['build', 900],
      ['publish', 1_000],
      ['publish', 1_200],
    ),
  ).toEqual([
    ['checkout', 'done', 200],
    ['packages', 'skipped', undefined],
    ['build', 'done', 700],
    ['publish', 'done', 200],
  ]);
});

test('of a run under way one phase runs, and those behind it are to come', () => {
  expect(course('RUNNING', ['checkout', 100], ['packages', 300])).toEqual([
    ['checkout', 'done', 200],
    ['packages', 'running', undefined],
    ['build', 'waiting', undefined],
    ['publish', 'waiting', undefined],
  ]);
});

test('a failed run stopped in its last phase', () => {
  expect(course('FAILED', ['checkout', 100], ['build', 300], ['build', 350])).toEqual([
    ['checkout', 'done', 200],
    ['packages', 'skipped', undefined],
    ['build', 'failed', 50],
    ['publish', 'skipped', undefined],
  ]);
});

test('a log that tells of no phase has no course', () => {
  expect(phaseCourse('COMPLETED', new LogModel().snapshot())).toEqual([]);
});

test.each([
  [420, '0.4 s'],
  [12_900, '12 s'],
  [185_000, '3:05'],
])('%i ms is %s', (ms, text) => {
  expect(clockText(ms)).toBe(text);
});
