import { CandidError, parseService } from '@cannery/candid';
import { HttpErrorCode, TransportError } from '@icp-sdk/core/agent';
import { expect, test } from 'vitest';
import { callMethod } from './call-method.ts';
import { explainError } from './explain-error.ts';
import { MAX_ARGUMENT_BYTES } from '../form/blob-bytes.ts';
import { toValues } from '../form/to-value.ts';

const [method] = parseService('service : { take : (blob) -> () }').methods;
if (method === undefined) throw new Error('There is no method.');

test('what no call takes is refused before anything is sent', async () => {
  let sent = 0;
  const send = async () => {
    sent += 1;
    return { reply: undefined };
  };
  const failure = callMethod(send, method, [new Uint8Array(MAX_ARGUMENT_BYTES)]);
  await expect(failure).rejects.toBeInstanceOf(CandidError);
  await expect(failure).rejects.toThrow('A call takes 2 MiB at most');
  expect(sent).toBe(0);
  // With room for what stands before the bytes.
  await callMethod(send, method, [new Uint8Array(MAX_ARGUMENT_BYTES - 100)]);
  expect(sent).toBe(1);
});

test('a file that is too large is a mistake of its input', () => {
  const file = { name: 'large.bin', size: 3_000_000, bytes: new Uint8Array() };
  const result = toValues(method.args, [{ kind: 'blob', source: 'file', text: '', file }]);
  expect(result.ok).toBe(false);
  expect(!result.ok && result.errors.get('0')).toMatch(/^This file has 3,000,000 bytes\. A call takes 2 MiB/);
});

test('nobody is told to try a call again that was too large', () => {
  const refused = new HttpErrorCode(413, 'Payload Too Large', [], 'Request is too large.');
  const { nextStep } = explainError(TransportError.fromCode(refused));
  expect(nextStep).not.toMatch(/try again/i);
});
