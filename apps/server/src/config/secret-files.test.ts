import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { helpText, options, readEnv, type SecretName } from './env.ts';
import { option, type OptionTable } from './option.ts';
import { StartError } from '../errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'cannery-secret-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A good value of each secret. A new one without a row here does not pass the check of types. */
const values: Readonly<Record<SecretName, string>> = {
  DATABASE_URL: 'postgresql://cannery:kept%20quiet@db.example/cannery',
  OIDC_CLIENT_SECRET: 'kept-quiet',
  GITHUB_CLIENT_SECRET: 'kept-quiet',
  GITHUB_WEBHOOK_SECRET: 'kept-quiet-for-long',
  BLOBS_S3_ACCESS_KEY: 'kept-quiet',
  BLOBS_S3_SECRET_KEY: 'kept/quiet+ünïcode',
};
const secrets = Object.keys(values) as SecretName[];

let files = 0;
function fileOf(content: string | Uint8Array): string {
  files += 1;
  const path = join(folder, `secret-${files}`);
  writeFileSync(path, content);
  return path;
}

function refusal(env: Parameters<typeof readEnv>[0]): string {
  try {
    readEnv(env);
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  }
  return 'taken';
}

test('every option that has the name of a secret may be a file', () => {
  const named = Object.keys(options).filter((name) =>
    /SECRET(?!S_KEY_FILE)|_KEY$|PASSWORD|TOKEN|^DATABASE_URL$/.test(name),
  );
  expect(named.toSorted()).toEqual(secrets.toSorted());
  // No other option is called as the file of one.
  for (const name of secrets) expect(Object.keys(options)).not.toContain(`${name}_FILE`);
  const wrong = { MAIL_SECRET: option(z.string(), '', '') } as const;
  // @ts-expect-error A secret that no file may have is refused by the types.
  wrong satisfies OptionTable;
});

describe.each(secrets)('%s', (name) => {
  const value = values[name];
  const variable = `${name}_FILE`;

  test.each(['', '\n', '\r\n'])('is what its file has without the last line break %j', (end) => {
    expect(readEnv({ [variable]: fileOf(value + end) })[name]).toBe(value);
    expect(readEnv({ [variable]: fileOf(value + end), [name]: '' })[name]).toBe(value);
    expect(readEnv({ [variable]: '', [name]: value })[name]).toBe(value);
  });

  test('both given are refused, and neither value is told', () => {
    const sentence = refusal({ [name]: value, [variable]: fileOf(value) });
    expect(sentence).toContain(`${name} and ${variable} are both set. Leave one of them out.`);
    expect(sentence).not.toContain('quiet');
  });
});

describe('a file that cannot be a secret is refused by variable and path', () => {
  const read = (path: string) => refusal({ OIDC_CLIENT_SECRET_FILE: path });

  test('missing', () => {
    const path = join(folder, 'absent');
    expect(read(path)).toContain(`  OIDC_CLIENT_SECRET_FILE: ${path} is not there.`);
  });

  test('a folder, a device, a pipe, a loop of links', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [folder, '/dev/zero', '/dev/null', pipe])
      expect(read(path)).toContain(`  OIDC_CLIENT_SECRET_FILE: ${path} is not a file.`);
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    expect(read(loop)).toContain(`${loop} cannot be read (ELOOP).`);
  });

  test('empty, or a line break alone', () => {
    for (const content of ['', '\n', '\r\n']) {
      const path = fileOf(content);
      expect(read(path)).toContain(`  OIDC_CLIENT_SECRET_FILE: ${path} is empty.`);
    }
  });

  test('larger than 16 KiB', () => {
    const path = fileOf('x'.repeat(16 * 1024 + 1));
    expect(read(path)).toContain(
      `  OIDC_CLIENT_SECRET_FILE: ${path} has more than 16 KiB, which no secret has.`,
    );
    expect(read(fileOf('x'.repeat(16 * 1024)))).toBe('taken');
  });

  test('no text', () => {
    for (const content of [Buffer.from([0x61, 0xff]), Buffer.from('kept\0quiet')]) {
      const path = fileOf(content);
      expect(read(path)).toContain(`  OIDC_CLIENT_SECRET_FILE: ${path} has bytes that are no text.`);
      expect(read(path)).not.toContain('kept');
    }
  });

  test.skipIf(process.getuid?.() === 0)('not readable', () => {
    const path = fileOf('kept-quiet');
    chmodSync(path, 0);
    expect(read(path)).toContain(`  OIDC_CLIENT_SECRET_FILE: ${path} cannot be read (EACCES).`);
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0 });
    expect(read(join(closed, 'secret'))).toContain('cannot be read (EACCES).');
  });
});

test('a link is followed, as Kubernetes has them, and other line breaks belong to the value', () => {
  const link = join(folder, 'link');
  symlinkSync(fileOf('one\ntwo\n\n'), link);
  expect(readEnv({ OIDC_CLIENT_SECRET_FILE: link }).OIDC_CLIENT_SECRET).toBe('one\ntwo\n');
});

test('what is wrong with the value in a file is told without the value, together with other options', () => {
  const sentence = refusal({
    GITHUB_WEBHOOK_SECRET_FILE: fileOf('kept-quiet'),
    DATABASE_URL_FILE: fileOf('mysql://ada:quiet@db.example/x'),
    PORT: 'x',
  });
  expect(sentence).toContain('  GITHUB_WEBHOOK_SECRET: must have 16 characters or more');
  expect(sentence).toContain('  DATABASE_URL: must start with postgres:// or postgresql://');
  expect(sentence).toContain('  PORT: must be a port number');
  expect(sentence).not.toContain('quiet');
});

test('--help says of each secret that a file may have it', () => {
  for (const line of helpText().split('\n'))
    expect(line.endsWith(' (*)'), line).toBe(secrets.some((name) => line.startsWith(`  ${name} `)));
});
