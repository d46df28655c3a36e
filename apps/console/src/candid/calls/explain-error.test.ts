import { parseValues } from '@cannery/candid';
import {
  AgentError,
  CertificateVerificationErrorCode,
  CertifiedRejectErrorCode,
  HttpErrorCode,
  HttpFetchErrorCode,
  ProtocolError,
  RejectError,
  type RequestId,
  TransportError,
  TrustError,
} from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { describe, expect, test } from 'vitest';
import { ReplyMismatchError } from './call-method.ts';
import { explainError } from './explain-error.ts';

const requestId = new Uint8Array(32) as RequestId;

describe('an error in words', () => {
  test('a trap names reject code, error code, message and next step', () => {
    const code = new CertifiedRejectErrorCode(
      requestId,
      5,
      "Canister called `ic0.trap` with message: 'no'",
      'IC0503',
    );
    expect(explainError(RejectError.fromCode(code))).toMatchObject({
      title: 'The canister stopped with an error',
      message: "Canister called `ic0.trap` with message: 'no'",
      rejectCode: '5 CANISTER_ERROR',
      errorCode: 'IC0503',
      nextStep: expect.stringContaining('rolled back'),
    });
  });

  test('an error code nobody knows falls back to the reject code', () => {
    const code = new CertifiedRejectErrorCode(requestId, 4, 'not you', undefined);
    const explained = explainError(RejectError.fromCode(code));
    expect(explained).toMatchObject({
      title: 'The canister refused the call',
      rejectCode: '4 CANISTER_REJECT',
    });
    expect(explained).not.toHaveProperty('errorCode');
  });

  test('each kind of failure has its own words', () => {
    const titles = [
      TransportError.fromCode(new HttpFetchErrorCode(new TypeError('Failed to fetch'))),
      ProtocolError.fromCode(new HttpErrorCode(503, 'Service Unavailable', [], 'starting')),
      TrustError.fromCode(new CertificateVerificationErrorCode('signature')),
      new ReplyMismatchError(Uint8Array.of(1), new Error('type mismatch')),
      new Error('anything'),
    ].map((error) => explainError(error).title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles[0]).toBe('The network did not answer');
  });

  test('every explanation has a title, a message, a next step and a detail', () => {
    const wrongInput = (): unknown => {
      try {
        return parseValues('(1', [IDL.Nat]);
      } catch (error) {
        return error;
      }
    };
    const unknown = new AgentError(
      new CertificateVerificationErrorCode('x'),
      TrustError.fromCode(new CertificateVerificationErrorCode('x')).kind,
    );
    for (const error of [wrongInput(), unknown, 'a string', new Error('x')]) {
      for (const part of ['title', 'message', 'nextStep', 'detail'] as const) {
        expect(explainError(error)[part]).not.toBe('');
      }
    }
  });
});
