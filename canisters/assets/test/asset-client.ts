import { didToJs } from '@ic-reactor/parser';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { verifyRequestResponsePair } from '@dfinity/response-verification';
import { assetCanisterDid, assetCanisterWasm } from '../index.ts';
import { type CallOptions, Ic0Host } from './ic0-host.ts';
import { TestCertifier } from './test-certifier.ts';

type Factory = (tools: { IDL: typeof IDL }) => IDL.ServiceClass;

let service: Promise<IDL.ServiceClass> | undefined;

/** The canister's interface, made from its own Candid file by a parser of others. */
export function assetService(): Promise<IDL.ServiceClass> {
  service ??= (async () => {
    const source = didToJs(await assetCanisterDid());
    const { idlFactory } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
      idlFactory: Factory;
    };
    return idlFactory({ IDL });
  })();
  return service;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly rawHeaders: [string, string][];
  readonly body: Uint8Array;
  /** How many calls it took. */
  readonly calls: number;
}

interface Token {
  readonly index: bigint;
}

interface CandidHttpResponse {
  readonly status_code: number;
  readonly headers: [string, string][];
  readonly body: Uint8Array;
  readonly streaming_strategy:
    | []
    | [{ readonly Callback: { readonly callback: [Principal, string]; readonly token: Token } }];
}

export const CONTROLLER = Principal.fromText('rrkah-fqaaa-aaaaa-aaaaq-cai');
const CANISTER = Principal.fromText('rdmx6-jaaaa-aaaaa-aaadq-cai');
export const STRANGER = Principal.fromText('2vxsx-fae');
const FIVE_MINUTES = 300_000_000_000n;

/** The canister on the test host, spoken to in Candid as its clients do. */
export class AssetClient {
  readonly certifier: TestCertifier;
  readonly host: Ic0Host;
  readonly #service: IDL.ServiceClass;

  private constructor(host: Ic0Host, certifier: TestCertifier, interfaceOf: IDL.ServiceClass) {
    this.host = host;
    this.certifier = certifier;
    this.#service = interfaceOf;
  }

  static async install(argument?: Uint8Array): Promise<AssetClient> {
    const certifier = new TestCertifier();
    const host = new Ic0Host(
      await assetCanisterWasm(),
      certifier,
      CANISTER.toUint8Array(),
      CONTROLLER.toUint8Array(),
    );
    host.install(argument);
    return new AssetClient(host, certifier, await assetService());
  }

  /** Calls a method with the types of the Candid file and gives its first result. */
  call<T>(method: string, argument: unknown, caller: Principal = CONTROLLER): T {
    const field = this.#service._fields.find(([name]) => name === method);
    if (field === undefined) throw new Error(`assets.did has no method ${method}`);
    const [, type] = field;
    const encoded = new Uint8Array(IDL.encode(type.argTypes, type.argTypes.length === 0 ? [] : [argument]));
    const options: CallOptions = { caller: caller.toUint8Array() };
    const query = type.annotations.includes('query');
    const reply = query
      ? this.host.query(method, encoded, options)
      : this.host.update(method, encoded, options);
    return IDL.decode(type.retTypes, reply)[0] as T;
  }

  /** Puts one file on the canister by `store`. */
  store(key: string, content: string | Uint8Array, contentType = 'text/html', encoding = 'identity'): void {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.call('store', {
      key,
      content_type: contentType,
      content_encoding: encoding,
      content: bytes,
      sha256: [],
    });
  }

  /** One request as a gateway makes it, streamed to the end. */
  http(
    url: string,
    headers: [string, string][] = [],
    version: [] | [number] = [2],
    method = 'GET',
  ): HttpAnswer {
    const first = this.call<CandidHttpResponse>('http_request', {
      method,
      url,
      headers,
      body: [],
      certificate_version: version,
    });
    const pieces = [first.body];
    let token = first.streaming_strategy[0]?.Callback.token;
    while (token !== undefined) {
      const [next] = this.call<[] | [{ body: Uint8Array; token: [] | [Token] }]>(
        'http_request_streaming_callback',
        token,
      );
      if (next === undefined) break;
      pieces.push(next.body);
      token = next.token[0];
    }
    return {
      status: first.status_code,
      headers: new Map(first.headers.map(([name, value]) => [name.toLowerCase(), value])),
      rawHeaders: first.headers,
      body: Uint8Array.from(Buffer.concat(pieces)),
      calls: pieces.length,
    };
  }

  /** Lets the verifier of the HTTP gateways judge an answer; throws when it refuses. */
  verify(
    url: string,
    answer: HttpAnswer,
    version = 2,
    headers: [string, string][] = [],
  ): ReadonlyMap<string, string> {
    const info = verifyRequestResponsePair(
      { url, method: 'GET', headers, body: new Uint8Array(), certificate_version: [version] },
      { status_code: answer.status, headers: answer.rawHeaders, body: answer.body },
      CANISTER.toUint8Array(),
      this.host.time,
      FIVE_MINUTES,
      this.certifier.rootKey,
      version,
    );
    if (info.response === undefined) throw new Error('the verifier certified nothing');
    return new Map(info.response.headers.map(([name, value]) => [name.toLowerCase(), value]));
  }

  /** Asks, verifies and gives the answer. */
  get(url: string, headers: [string, string][] = []): HttpAnswer {
    const answer = this.http(url, headers);
    this.verify(url, answer, 2, headers);
    return answer;
  }
}

export function textOf(answer: HttpAnswer): string {
  return new TextDecoder().decode(answer.body);
}
