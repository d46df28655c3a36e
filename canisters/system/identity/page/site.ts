import type { GrantedDelegation } from './grant.ts';
import { fieldsOf, readAuthorizeClient, readIcrc34, RequestError, type SignInRequest } from './requests.ts';

/** A site that waits for an answer. */
export interface AskingSite {
  /** As the browser reports it, whatever the message says. */
  readonly origin: string;
  readonly request: SignInRequest;
  grant(delegation: GrantedDelegation): void;
  refuse(reason: string, isAborted: boolean): void;
}

/** Codes of JSON-RPC and of ICRC-25. */
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;
const GENERIC = 1_000;
const NOT_SUPPORTED = 2_000;
const ABORTED = 3_001;

const STANDARDS = ['ICRC-25', 'ICRC-29', 'ICRC-34', 'ICRC-95'].map((name) => ({
  name,
  url: `https://github.com/dfinity/wg-identity-authentication/blob/main/topics/${name.toLowerCase().replace('-', '_')}.md`,
}));
const DELEGATION = 'icrc34_delegation';
const SCOPES = [{ scope: { method: DELEGATION }, state: 'ask_on_use' }];
/** How the hash of the address begins where a client of the older form has opened it. */
const OLDER_HASH = '#authorize';
const MAX_ID = 100;

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * Talks to the window that has opened this one, and to no other: what frames and other windows send is not looked at. The site is the
 * origin of its first message; should the window go to another site meanwhile, that one is not answered.
 */
export function listenToSite(opener: Window, ask: (site: AskingSite) => void): void {
  let known: string | undefined;
  let isAsked = false;

  function handle(event: MessageEvent<unknown>): void {
    if (event.source !== opener || !/^https?:\/\//.test(event.origin)) return;
    const message = fieldsOf(event.data);
    const isOlder = message['kind'] === 'authorize-client';
    if (!isOlder && message['jsonrpc'] !== '2.0') return;
    known ??= event.origin;
    if (event.origin !== known) return;
    if (isOlder) handleOlder(message, event.origin);
    else handleRpc(message, event.origin);
  }

  function handleRpc(message: Readonly<Record<string, unknown>>, origin: string): void {
    const { id, method, params } = message;
    // A notification has no answer.
    if (!(typeof id === 'string' && id.length <= MAX_ID) && typeof id !== 'number') return;
    const send = (answer: object): void => opener.postMessage({ jsonrpc: '2.0', id, ...answer }, origin);
    const fail = (code: number, text: string): void => send({ error: { code, message: text } });
    switch (method) {
      case 'icrc29_status':
        return send({ result: 'ready' });
      case 'icrc25_supported_standards':
        return send({ result: { supportedStandards: STANDARDS } });
      case 'icrc25_permissions':
        return send({ result: { scopes: SCOPES } });
      case 'icrc25_request_permissions':
        return send({ result: { scopes: asksForDelegation(params) ? SCOPES : [] } });
      case DELEGATION:
        return askOnce(
          origin,
          () => readIcrc34(params),
          (delegation) => send({ result: inJson(delegation) }),
          fail,
        );
      default:
        return typeof method === 'string'
          ? fail(NOT_SUPPORTED, 'Not supported')
          : fail(INVALID_REQUEST, 'A request names a method.');
    }
  }

  function handleOlder(message: Readonly<Record<string, unknown>>, origin: string): void {
    const send = (answer: object): void => opener.postMessage(answer, origin);
    askOnce(
      origin,
      () => readAuthorizeClient(message),
      (delegation) => send(inOlderForm(delegation)),
      (_code, text) => send({ kind: 'authorize-client-failure', text }),
    );
  }

  /** One question at a time is on the screen; what comes meanwhile is refused. */
  function askOnce(
    origin: string,
    read: () => SignInRequest,
    grant: (delegation: GrantedDelegation) => void,
    fail: (code: number, text: string) => void,
  ): void {
    if (isAsked) return fail(GENERIC, 'Another request is on the screen.');
    let request: SignInRequest;
    try {
      request = read();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return fail(INVALID_PARAMS, error.message);
    }
    isAsked = true;
    const once =
      <Parts extends unknown[]>(answer: (...parts: Parts) => void) =>
      (...parts: Parts): void => {
        if (!isAsked) return;
        isAsked = false;
        answer(...parts);
      };
    ask({
      origin,
      request,
      grant: once(grant),
      refuse: once((reason, isAborted) => fail(isAborted ? ABORTED : GENERIC, reason)),
    });
  }

  window.addEventListener('message', handle);
  // It says nothing but that this page is open; the answer names the site.
  if (location.hash.startsWith(OLDER_HASH)) opener.postMessage({ kind: 'authorize-ready' }, '*');
}

function asksForDelegation(params: unknown): boolean {
  const { scopes } = fieldsOf(params);
  return Array.isArray(scopes) && scopes.some((each) => fieldsOf(each)['method'] === DELEGATION);
}

/** Numbers of 64 bits as texts and bytes in base64 (ICRC-34). */
function inJson({ publicKey, sessionKey, expiration, targets, signature }: GrantedDelegation): object {
  return {
    publicKey: toBase64(publicKey),
    signerDelegation: [
      {
        delegation: {
          pubkey: toBase64(sessionKey),
          expiration: String(expiration),
          ...(targets && { targets: targets.map((each) => each.toText()) }),
        },
        signature: toBase64(signature),
      },
    ],
  };
}

function inOlderForm({ publicKey, sessionKey, expiration, signature }: GrantedDelegation): object {
  return {
    kind: 'authorize-client-success',
    delegations: [{ delegation: { pubkey: sessionKey, expiration }, signature }],
    userPublicKey: publicKey,
    authnMethod: 'passkey',
  };
}
