import { Cbor } from '@icp-sdk/core/agent';
import { expect, test } from 'vitest';
import { copiedCall } from './copied-call.testing.ts';
import { curlCommand, icpCommand } from './shell-commands.ts';

/** The message that the command sends at a time, in nanoseconds. */
function messageAt(command: string, expiry: bigint): unknown {
  const digits = /^printf '%s%016x' ([0-9a-f]+) /.exec(command)?.[1] ?? '';
  const bytes = `${digits}${expiry.toString(16).padStart(16, '0')}`.match(/../g) ?? [];
  return Cbor.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}

test('the message says what the call is, and nothing that others wrote is in the command', () => {
  const name = `$(reboot)'"\n${'x'.repeat(300)}`;
  const call = copiedCall(
    String.raw`service : { "$(reboot)'\"\n${'x'.repeat(300)}" : (text) -> () query }`,
    String.raw`("'; $(reboot) ${'`id`'}")`,
  );
  const command = curlCommand(call) ?? '';
  expect(messageAt(command, 5n)).toMatchObject({
    content: { request_type: 'query', method_name: name, ingress_expiry: 5n, sender: Uint8Array.of(4) },
  });
  expect(command).toMatch(
    /^printf '%s%016x' [0-9a-f]+ \$\(\(\(\$\(date \+%s\) \+ 240\) \* 1000000000\)\) \| xxd -r -p \| curl --silent --show-error --header 'Content-Type: application\/cbor' --data-binary @- 'http:\/\/localhost:8000\/api\/v3\/canister\/rrkah-fqaaa-aaaaa-aaaaq-cai\/query' \| xxd$/,
  );
});

test('an update is a call', () => {
  const command = curlCommand(copiedCall('service : { put : () -> () }', '()')) ?? '';
  expect(messageAt(command, 2n ** 63n)).toMatchObject({
    content: { request_type: 'call', ingress_expiry: 2n ** 63n },
  });
  expect(command).toContain("/api/v4/canister/rrkah-fqaaa-aaaaa-aaaaq-cai/call'");
});

test('a query of an anonymous caller, on a network that vouches for itself', () => {
  const call = copiedCall('service : { greet : (text, nat) -> (text) query }', '("Ada", 5)');
  expect(icpCommand(call)).toBe(
    `icp canister call --query --network 'http://localhost:8000' --root-key fetch --identity anonymous -- ` +
      `rrkah-fqaaa-aaaaa-aaaaq-cai 'greet' '("Ada", 5 : nat)'`,
  );
});

test('an update of somebody on mainnet', () => {
  const call = copiedCall('service : { put : () -> () }', '()', {
    networkUrl: 'https://icp-api.io',
    networkIsLocal: false,
    caller: 'aaaaa-aa',
  });
  expect(icpCommand(call)).toBe(
    `icp canister call --network 'https://icp-api.io' --root-key mainnet -- rrkah-fqaaa-aaaaa-aaaaq-cai 'put' '()'`,
  );
});

test('hostile names and texts stay inside their quotes', () => {
  const did = String.raw`service : { "--help'; $(reboot) \n\u{1b}[201~" : (text) -> () }`;
  const call = copiedCall(did, String.raw`("it's $(reboot) ${'`id`'} \u{202e}\n")`);
  expect(icpCommand(call)).toMatch(
    / -- rrkah-fqaaa-aaaaa-aaaaq-cai \$'--help\\x27; \$\(reboot\) \\x0a\\x1b\[201~' '\("it'\\''s \$\(reboot\) `id` \\u\{202e\}\\n"\)'$/,
  );
});

test('a name with NUL makes no command', () => {
  expect(icpCommand(copiedCall(String.raw`service : { "a\00b" : () -> () }`, '()'))).toBeUndefined();
});
