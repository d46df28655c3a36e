import { describe, expect, test } from 'vitest';
import { cleanLine } from './clean-line.ts';
import { SecretHider } from './secret-hider.ts';

const SECRET = "pA55/word+q'uote~ß";
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = Buffer.from(SECRET).toString('hex');

/** Lines as a log keeps them, with the lines that were written once more. */
function kept(lines: readonly string[], secrets: readonly string[] = [SECRET]): string[] {
  const hider = new SecretHider(secrets);
  const log: string[] = [];
  for (const line of lines) {
    const { text, before } = cleanLine(line, hider);
    if (before !== undefined) log.splice(-before.length, before.length, ...before);
    log.push(text);
  }
  return log;
}

describe('a secret is hidden', () => {
  test.each([
    ['as it is', `x ${SECRET} y`],
    ['in capital letters', `x ${SECRET.toUpperCase()} y`],
    ['in small letters', `x ${SECRET.toLowerCase()} y`],
    ['spaced', `x ${[...SECRET].join(' ')} y`],
    ['spaced by spaces of other scripts', `x ${[...SECRET].join('\u3000\u202f\u205f\u1680\u2800')} y`],
    ['spaced, in capital letters', `x ${[...SECRET.toUpperCase()].join('  ')} y`],
    ['spaced by tabs and wide spaces', `x ${[...SECRET].join('\t\u2003')} y`],
    ['with colours inside', `x ${[...SECRET].join('\x1b[31m\x1b[0m')} y`],
    ['with other escape sequences inside', `x ${[...SECRET].join('\x1b[2K')} y`],
    ['with titles inside', `x ${[...SECRET].join('\x1b]0;t\x07')} y`],
    ['with control characters inside', `x ${[...SECRET].join('\x08\x00')} y`],
    ['with invisible characters inside', `x ${[...SECRET].join('\u200b')} y`],
    ['in an address', `?q=${encodeURIComponent(SECRET)}&`],
    ['in an address with small letters', `?q=${encodeURIComponent(SECRET).toLowerCase()}&`],
    ['in an address, strictly', `?q=${encodeURIComponent(SECRET).replaceAll("'", '%27')}&`],
    ['in JSON', JSON.stringify({ SECRET })],
    ['quoted for a shell', `'${SECRET.replaceAll("'", "'\\''")}'`],
    ['in hexadecimal', `x ${hex} y`],
    ['in large hexadecimal', `x ${hex.toUpperCase()} y`],
    ['in hexadecimal with colons', `x ${hex.match(/../g)?.join(':')} y`],
    ['in hexadecimal as od prints it', `x ${hex.match(/../g)?.join(' ')} y`],
    ['in hexadecimal as xxd prints it', `x ${hex.match(/.{1,4}/g)?.join(' ')} y`],
    [
      'as escapes of a string',
      `x ${hex
        .match(/../g)
        ?.map((pair) => `\\x${pair}`)
        .join('')} y`,
    ],
    ['in base64', `x ${base64(SECRET)} y`],
    ['in base64 of addresses', `x ${Buffer.from(SECRET).toString('base64url')} y`],
    ['in base64 of a line with its end', `x ${base64(`${SECRET}\n`)} y`],
    ['in base64, behind one letter', `x ${base64(`a${SECRET}`)} y`],
    ['in base64, behind two letters', `x ${base64(`ab${SECRET}`)} y`],
    ['in base64, between others', `x ${base64(`user:${SECRET}, etc`)} y`],
    ['in base64, spaced and coloured', `x ${[...base64(`u:${SECRET}`)].join(' \x1b[1m')} y`],
  ])('%s', (_name, line) => {
    const [shown = ''] = kept([line]);
    expect(shown).toContain('[hidden]');
    // Of what base64 and hexadecimal encode, no eight characters in a row are left.
    const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d+/%:\\-]/g, '');
    const left = bare(shown.replaceAll('[hidden]', ' '));
    const whole = bare(line);
    for (let at = 0; at + 12 <= whole.length; at += 1) {
      const piece = whole.slice(at, at + 12);
      expect(left, piece).not.toContain(piece);
    }
  });

  test.each([0, 1, 2])('in a header of Basic, behind a name of %i more letters', (more) => {
    const name = 'u'.repeat(more);
    const [shown = ''] = kept([`> sent: Basic ${base64(`${name}:${SECRET}`)}`]);
    expect(shown).toMatch(/^> sent: Basic [\w+/]{0,5}\[hidden\][\w+/]{0,2}=*$/);
    expect(kept([`Authorization: Basic ${base64(`${name}:another`)}`])).toEqual([
      'Authorization: Basic [hidden]',
    ]);
  });
});

describe('over the ends of lines', () => {
  const long = 'a secret of more than seventy-six characters, which base64 prints in several lines of a log';

  test('a secret that is printed in two lines is hidden in both', () => {
    for (let at = 1; at < SECRET.length; at += 1) {
      const lines = kept([`x ${SECRET.slice(0, at)}`, `${SECRET.slice(at)} y`]);
      expect(lines, `${at}`).toEqual(['x [hidden]', '[hidden] y']);
    }
  });

  test('one that is printed over several lines is hidden in all of them', () => {
    expect(kept([`x ${SECRET.slice(0, 5)}`, SECRET.slice(5, 9), `${SECRET.slice(9)} y`])).toEqual([
      'x [hidden]',
      '[hidden]',
      '[hidden] y',
    ]);
    // A letter in each, with empty ones between.
    const letters = [...SECRET].flatMap((letter) => [letter, '']);
    expect(kept(letters).join('')).toBe('[hidden]'.repeat(SECRET.length));
  });

  test('so is base64 in lines of 76 characters, also behind something else', () => {
    for (const text of [long, `user:${long}`]) {
      const lines = base64(text).match(/.{1,76}/g) ?? [];
      expect(lines.length).toBeGreaterThan(1);
      for (const shown of kept(lines, [long])) expect(shown).toMatch(/^[\w+/]{0,8}\[hidden\][\w+/]{0,2}=*$/);
    }
  });

  test('so is a private key, line by line and whole', () => {
    const key = ['-----BEGIN KEY-----', 'MIIEvgIBADANBgkq', 'hkiG9w0BAQEFAASC', '-----END KEY-----'];
    expect(kept(key, [key.join('\n')]).join('')).not.toMatch(/MII|hki|BEGIN/);
    expect(kept(['x', 'hkiG9w0BAQEFAASC'], [key.join('\n')])).toEqual(['x', '[hidden]']);
  });

  test('what only begins like one stays', () => {
    expect(kept(['x pA55/wo', 'rk and play'])).toEqual(['x pA55/wo', 'rk and play']);
    expect(kept([`${SECRET.slice(0, 8)}`, '', 'other'])).toEqual([SECRET.slice(0, 8), '', 'other']);
  });

  test('a line with two secrets, of which one goes on, hides both when it is written again', () => {
    const other = 'hunter2hunter2';
    expect(kept([`${other} ${SECRET.slice(0, 7)}`, SECRET.slice(7)], [SECRET, other])).toEqual([
      '[hidden] [hidden]',
      '[hidden]',
    ]);
  });
});

test('of secrets that begin alike each is hidden whole', () => {
  const start = 'projects/our-company/environments/production/';
  const secrets = ['a', 'b', 'aa'].map((end) => start + end.repeat(9));
  for (const secret of secrets) expect(kept([`x ${secret}`], secrets)).toEqual(['x [hidden]']);
});

test('a secret that is little but spaces hides no words', () => {
  expect(kept(['a b', 'ab', 'a        b'], ['a        b'])).toEqual(['a b', 'ab', '[hidden]']);
});

test('ordinary lines stay as they are', () => {
  for (const line of ['added 312 packages in 8s', 'pass word', 'The secret is not here: 0123456789abcdef'])
    expect(kept([line])).toEqual([line]);
});

test('a secret of the issue is hidden, spaced out and in other letters', () => {
  for (const printed of ['s 3 c r 3 t v a l u e', 'S3CR3TVALUE', 'S 3 C R 3 T V A L U E', 's3cr3tvalue'])
    expect(kept([`x ${printed} y`], ['S3cr3tValue'])).toEqual(['x [hidden] y']);
});

describe('the work for a line', () => {
  /** CPU time of a hundred lines, in milliseconds. */
  function costOf(secrets: readonly string[], line: string): number {
    const hider = new SecretHider(secrets);
    hider.hide(line);
    const start = process.cpuUsage();
    for (let count = 0; count < 100; count += 1) hider.hide(line);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  }
  const random = (length: number, seed: number) => {
    let state = seed;
    return Array.from({ length }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return String.fromCharCode(97 + (state % 26));
    }).join('');
  };

  test.each([
    [
      'of one letter, and secrets that go on so',
      'a',
      (count: number) => `${'a'.repeat(23)}${random(20, count)}`,
    ],
    [
      'that begin like secrets everywhere',
      'abcdefgh',
      (count: number) => `abcdefghabcdefghabcdefg${random(20, count)}`,
    ],
    ['with nothing of the secrets', 'x y ', (count: number) => random(40, count)],
    [
      'that are cut again and again',
      'abcdefgh … (1 characters left out) … abcdefg',
      (count: number) => `abcdefghabcdefghabcdefg${random(20, count)}`,
    ],
  ])(
    'doubles at most when lines %s do, and hardly grows with the number of secrets',
    (_name, piece, secretOf) => {
      const secretsOf = (count: number) => Array.from({ length: count }, (_, index) => secretOf(index + 1));
      const line = piece.repeat(4_000 / piece.length);
      const once = costOf(secretsOf(10), line);
      // Bounds with room for a busy machine: quadratic work would be 4 times, work for each secret 10 times as much.
      expect(costOf(secretsOf(10), line + line)).toBeLessThan(once * 3 + 30);
      expect(costOf(secretsOf(100), line)).toBeLessThan(once * 4 + 30);
    },
  );

  test('a hundred long secrets are read in a moment', () => {
    const secrets = Array.from({ length: 100 }, (_, index) =>
      Array.from({ length: 150 }, (_line, at) => random(64, index * 1000 + at)).join('\n'),
    );
    const start = process.cpuUsage();
    const hider = new SecretHider(secrets);
    const { user } = process.cpuUsage(start);
    expect(user / 1000).toBeLessThan(5_000);
    expect(hider.hide(`x ${secrets[99]?.split('\n')[3]}`).text).toBe('x [hidden]');
  });
});
