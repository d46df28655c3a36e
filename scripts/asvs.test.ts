import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isTest } from './source-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(root, 'docs/asvs');
const levels = JSON.parse(readFileSync(path.join(folder, 'requirements.json'), 'utf8')) as Record<
  string,
  number
>;
const states = ['met', 'does not apply', 'NOT met'] as const;

interface Row {
  readonly id: string;
  readonly level: number;
  readonly state: string;
  readonly where: string;
}

function rowsOf(text: string): Row[] {
  return [...text.matchAll(/^\| (V[\d.]+) \| (\d) \| .+? \| ([\w ]+) \| (.+) \|$/gm)].map(
    ([, id = '', level, state = '', where = '']) => ({ id, level: Number(level), state, where }),
  );
}

const chapters = readdirSync(folder)
  .filter((name) => /^v\d\d\.md$/.test(name))
  .map((name) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    return { name, text, rows: rowsOf(text) };
  });
const rows = chapters.flatMap((chapter) => chapter.rows);
const overview = readFileSync(path.join(folder, 'README.md'), 'utf8');

const counts = (of: readonly Row[]): number[] => [
  of.length,
  ...states.map((state) => of.filter((row) => row.state === state).length),
];

/** Places that a row names: a file or folder, and words of a test in it. */
function placesIn(where: string): { file: string; title: string | undefined }[] {
  return [...where.matchAll(/`([^`]+)`(?: "([^"]+)")?/g)]
    .map(([, file = '', title]) => ({ file, title }))
    .filter(({ file, title }) => title !== undefined || /^[\w.-]+\/[\w./-]+$/.test(file));
}

describe('the self-assessment by OWASP ASVS', () => {
  test('has each requirement of levels 1 and 2 once, in its chapter, with its level and a state', () => {
    expect(rows.map(({ id }) => id).toSorted()).toEqual(Object.keys(levels).toSorted());
    for (const { name, rows: own } of chapters)
      for (const { id, level, state } of own) {
        expect(level, id).toBe(levels[id]);
        expect(states, id).toContain(state);
        expect(name, id).toBe(`v${id.slice(1).split('.')[0]?.padStart(2, '0')}.md`);
      }
  });

  test('names files that are there, and tests by words of their titles', () => {
    for (const { id, where } of rows)
      for (const { file, title } of placesIn(where)) {
        const place = path.join(root, file);
        expect(existsSync(place), `${id}: ${file}`).toBe(true);
        if (title === undefined) continue;
        expect(isTest(file), `${id}: ${file} is no test`).toBe(true);
        expect(readFileSync(place, 'utf8').includes(title), `${id}: ${file} "${title}"`).toBe(true);
      }
  });

  test('names a place for what is met, a reason for what does not apply, and what is missing of what is not', () => {
    for (const { id, state, where } of rows) {
      if (state === 'met') expect(where, id).toMatch(/`[^`]+`|\]\(/);
      if (state === 'NOT met') expect(where, id).toContain('Missing');
      expect(where.length, id).toBeGreaterThan(10);
    }
  });

  test('counts right', () => {
    for (const { text, rows: own } of chapters) {
      const [all, met, not, open] = counts(own);
      expect(text).toContain(`${all} requirements: ${met} met, ${not} do not apply, ${open} NOT met.`);
      const title = /^# (.+)$/m.exec(text)?.[1] ?? '';
      expect(overview).toMatch(new RegExp(`\\[${title}\\]\\([^)]*\\) \\| ${counts(own).join(' \\| ')} \\|`));
    }
    for (const level of [1, 2])
      expect(overview).toContain(
        `| Level ${level} | ${counts(rows.filter((row) => row.level === level)).join(' | ')} |`,
      );
    expect(overview).toContain(`| All | ${counts(rows).join(' | ')} |`);
    const open = rows.filter(({ state }) => state === 'NOT met').map(({ id }) => id);
    const listed = overview.slice(overview.indexOf('## What is not met')).matchAll(/^\| (V[\d.]+) \|/gm);
    expect([...listed].map(([, id]) => id)).toEqual(open);
  });
});
