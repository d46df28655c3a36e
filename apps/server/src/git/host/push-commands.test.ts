import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readCommands, refusalOf } from './push-commands.ts';

const zero = '0'.repeat(40);
const id = 'a'.repeat(40);
const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
const of = (text: string | Buffer) => Readable.from([Buffer.from(text)]);

test('commands are read whatever the pieces they come in, and git finds every byte again', async () => {
  const body = Buffer.from(
    `${line(`${zero} ${id} refs/heads/main\0 report-status side-band-64k agent=git/2`)}${line(`${id} ${zero} refs/tags/v1`)}${line(`shallow ${id}`)}0000PACK and more`,
  );
  const stream = new PassThrough();
  const reading = readCommands(stream);
  for (const byte of body) {
    stream.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  stream.end();
  const commands = await reading;
  expect(commands).toEqual({
    written: ['refs/heads/main'],
    targets: new Map([['refs/heads/main', id]]),
    deleted: ['refs/tags/v1'],
    sideBand: true,
  });
  expect(Buffer.concat(await stream.toArray())).toEqual(body);
});

test('the probe that git sends before a large push holds no commands', async () => {
  expect(await readCommands(of('0000'))).toEqual({
    written: [],
    targets: new Map(),
    deleted: [],
    sideBand: false,
  });
});

test.each([
  ['no packet', 'hello world'],
  ['a length below its own', '0003'],
  ['an end before the flush', line(`${zero} ${id} refs/heads/main`)],
  ['nothing', ''],
  ['commands inside a signature, which git would read', `${line('push-cert\0 report-status')}0000`],
  ['a ref outside refs/', `${line(`${zero} ${id} HEAD`)}0000`],
])('%s is refused', async (_what, text) => {
  await expect(readCommands(of(text))).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a client that keeps its commands back is not waited for', async () => {
  const silent = new PassThrough();
  await expect(readCommands(silent, 1)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(silent.destroyed).toBe(true);
});

test('commands without end are not kept', async () => {
  let sent = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) {
        sent += 1;
        yield Buffer.from(line(`${zero} ${id} refs/heads/${String(sent).padStart(200, 'x')}`));
      }
    })(),
  );
  await expect(readCommands(endless)).rejects.toMatchObject({ code: 'payload_too_large' });
  expect(sent).toBeLessThan(5000);
});

test('a refusal is a report that git understands', () => {
  const targets = new Map([['refs/heads/main', 'a'.repeat(40)]]);
  const commands = { written: [...targets.keys()], targets, deleted: [], sideBand: true };
  expect(refusalOf(commands, 'Full.').toString('latin1')).toBe(
    '000b\u0002Full.\n003b\u00010013unpack refused\n' + '001fng refs/heads/main refused\n' + '00000000',
  );
});
