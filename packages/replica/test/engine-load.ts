// Runs an engine under load until it is killed: every line on standard output is an acknowledged update,
// `<request number> <value replied>`. Requests start at the number given; those before it are sent again first.
import { TestClient } from './engine-client.ts';

const [dataDir = '', canister = '', resendFrom = '0', resendTo = '0'] = process.argv.slice(2);
const id = new Uint8Array(Buffer.from(canister, 'hex'));
const client = await TestClient.start({ dataDir }, true);

async function increment(number: number): Promise<void> {
  const requestId = new Uint8Array(32);
  new DataView(requestId.buffer).setUint32(0, number);
  await client.submit(id, 'inc', new Uint8Array(0), undefined, requestId);
  const outcome = await client.outcome(requestId);
  if (outcome.status !== 'replied') throw new Error(outcome.message);
  process.stdout.write(`${number} ${Buffer.from(outcome.reply).readBigUInt64LE()}\n`);
}

const [from, to] = [Number(resendFrom), Number(resendTo)];
await Promise.all(Array.from({ length: to - from }, (_, i) => increment(from + i)));
if (process.argv[6] === 'stop') {
  await client.close();
  process.exit(0);
}
let next = to;
process.stdout.write(`started ${next}\n`);
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (;;) {
      const number = next++;
      process.stdout.write(`sent ${number}\n`);
      await increment(number);
    }
  }),
);
