import { once } from 'node:events';
import { expect, test } from 'vitest';
import { LastWords } from './last-words.ts';

async function passed(text: string, lines: readonly string[], piece: number): Promise<string> {
  const words = new LastWords();
  let said = '';
  words.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  for (let at = 0; at < text.length; at += piece) words.write(text.slice(at, at + piece));
  words.lines = lines;
  words.end();
  await once(words, 'end');
  return said;
}

const report = '002f\u0001000eunpack ok\n0019ok refs/heads/main\n0000';

test('lines come before the end of an answer, however it is cut', async () => {
  for (let piece = 1; piece <= 60; piece += 1) {
    expect(await passed(`${report}0000`, ['Hello', 'World'], piece)).toBe(
      `${report}000b\u0002Hello\n000b\u0002World\n0000`,
    );
    expect(await passed(`${report}0000`, [], piece)).toBe(`${report}0000`);
  }
});

test('an answer that does not end as git ends one passes as it is', async () => {
  for (const text of ['', '0', '000', report.slice(0, -2), '0006\u0002a', 'fatal: no such thing\n']) {
    expect(await passed(text, ['Hello'], 3)).toBe(text);
  }
});
