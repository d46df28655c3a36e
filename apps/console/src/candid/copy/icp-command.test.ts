import { expect, test } from 'vitest';
import { copiedCall } from './copied-call.testing.ts';
import { icpCommand } from './icp-command.ts';

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
