import { describe, expect, test } from 'vitest';
import { cleanLine as cleaned, plainLine } from './clean-line.ts';
import { SecretHider } from './secret-hider.ts';

const cleanLine = (line: string, secrets: readonly string[]) => cleaned(line, new SecretHider(secrets)).text;

describe('a line of a log', () => {
  test('keeps colours and drops every other escape sequence', () => {
    expect(cleanLine('\x1b[32mok\x1b[0m \x1b[2J\x1b[1;1Hgone', [])).toBe('\x1b[32mok\x1b[0m gone');
    expect(cleanLine('\x1b]8;;https://evil.example\x07link\x1b]8;;\x07', [])).toBe('link');
    expect(cleanLine('\x1b]0;title\x1b\\text', [])).toBe('text');
  });

  test('drops control, invisible and direction characters', () => {
    expect(cleanLine('a\0b\x08c\u202ed\u200be\ufefff\x9b', [])).toBe('abcdef');
    expect(cleanLine('a\tb', [])).toBe('a\tb');
    expect(cleanLine('a\u061cb\u2028c\u{e0041}d\u3164e\ufffaf', [])).toBe('abcdef');
  });

  test('of which only the text is shown has no colours either', () => {
    expect(plainLine('\x1b[31mred\x1b[0m \u202eloaf\x1b[3')).toBe('red loaf[3');
    expect(plainLine('Bake the first loaf')).toBe('Bake the first loaf');
  });

  test('makes lone surrogates storable', () => {
    expect(cleanLine('a\ud800b', [])).toBe('a\ufffdb');
  });

  test('blacks out secrets it is told of, but no short words', () => {
    expect(cleanLine('the value is hunter2hunter2!', ['hunter2hunter2', 'is'])).toBe(
      'the value is [hidden]!',
    );
  });

  test('blacks out secrets in the forms in which programs print them', () => {
    const secret = 'pa"ss wörd\nsecond line of it\nx';
    const forms = [secret, 'hunter2hunter2'];
    for (const line of [
      `{"a":${JSON.stringify(secret)}}`,
      '  second line of it',
      `https://example.org/?q=${encodeURIComponent(secret)}`,
      Buffer.from(secret).toString('base64'),
      Buffer.from('hunter2hunter2').toString('base64'),
    ]) {
      const shown = cleanLine(line, forms);
      expect(shown, line).toContain('[hidden]');
      expect(shown, line).not.toMatch(/pa.{1,4}ss|second|aHVudGVy|second%20line/);
    }
    expect(cleanLine('x marks the spot', forms)).toBe('x marks the spot');
  });

  test('blacks out the beginning of a secret where the line was cut', () => {
    const end = ' … (17 characters left out) … ';
    const secrets = ['hunter2hunter2'];
    expect(cleanLine(`token hunter2hun${end}`, secrets)).toBe(`token [hidden]${end}`);
    expect(cleanLine(`token hun${end}`, secrets)).toBe(`token hun${end}`);
    // What is left of one behind what was left out, whole ones on both sides, and spaced ones.
    expect(cleanLine(`x${end}er2hunter2 y`, secrets)).toBe(`x${end}[hidden] y`);
    expect(cleanLine(`x${end}ter2 y`, secrets)).toBe(`x${end}[hidden] y`);
    expect(cleanLine(`x${end}r2 y`, secrets)).toBe(`x${end}r2 y`);
    expect(cleanLine(`hunter2hunter2${end}a hunter2hunter2`, secrets)).toBe(`[hidden]${end}a [hidden]`);
    expect(cleanLine(`x${end}T E R 2 y`, secrets)).toBe(`x${end}[hidden] y`);
    expect(cleanLine(`x${end}hunter y`, secrets)).toBe(`x${end}[hidden] y`);
    expect(cleanLine(`x${end}nothing of it`, secrets)).toBe(`x${end}nothing of it`);
    expect(cleanLine('token hunter2hun', ['hunter2hunter2'])).toBe('token hunter2hun');
  });

  test.each([
    ['token cnry_abcdefghijklmnopqrstuvwxyz012345', 'token [hidden]'],
    [`npm_${'a'.repeat(36)}`, '[hidden]'],
    [`ghp_${'B'.repeat(36)} used`, '[hidden] used'],
    ['Authorization: Bearer abcdefghijklmnop.qrs', 'Authorization: Bearer [hidden]'],
    ['//registry.example/:_authToken=secret', '//registry.example/:_authToken=[hidden]'],
    ['fetching https://user:pa55word@host/x', 'fetching https://user:[hidden]@host/x'],
  ])('%s', (line, shown) => {
    expect(cleanLine(line, [])).toBe(shown);
  });
});
