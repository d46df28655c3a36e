import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import { verifyRequestResponsePair } from '@dfinity/response-verification';
import { IDL } from '@icp-sdk/core/candid';
import type { SampleCanister } from './sample-canister.ts';

const FIVE_MINUTES = 300_000_000_000n;

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Asks the canister through the network's HTTP gateway, as a browser does. */
export async function browse(
  { network, id }: SampleCanister,
  path: string,
  options: { method?: string; body?: string | Buffer; headers?: OutgoingHttpHeaders } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { host: `${id.toText()}.localhost:${network.port}`, ...options.headers };
  const request = httpRequest(
    { host: '127.0.0.1', port: network.port, path, method: options.method ?? 'GET', headers },
    (response) => {
      response
        .toArray()
        .then((chunks) =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body: Buffer.concat(chunks as Buffer[]).toString(),
          }),
        )
        .catch(reject);
    },
  );
  request.on('error', reject);
  request.end(options.body);
  return promise;
}

const header = IDL.Tuple(IDL.Text, IDL.Text);
const bytes = IDL.Vec(IDL.Nat8);
const site: IDL.InterfaceFactory = () =>
  IDL.Service({
    http_request: IDL.Func(
      [
        IDL.Record({
          method: IDL.Text,
          url: IDL.Text,
          headers: IDL.Vec(header),
          body: bytes,
          certificate_version: IDL.Opt(IDL.Nat16),
        }),
      ],
      [IDL.Record({ status_code: IDL.Nat16, headers: IDL.Vec(header), body: bytes })],
      ['query'],
    ),
  });

/** What the canister answers a GET with, once the public verifier has found it certified. */
export async function certifiedPage(
  sample: SampleCanister,
  url: string,
): Promise<{ status: number; body: string; headers: Map<string, string> }> {
  const actor = await sample.actor<{
    http_request(
      request: object,
    ): Promise<{ status_code: number; headers: [string, string][]; body: Uint8Array }>;
  }>(site);
  const request = { method: 'GET', url, headers: [], body: new Uint8Array() };
  const answer = await actor.http_request({ ...request, certificate_version: [2] });
  const info = verifyRequestResponsePair(
    { ...request, certificate_version: [2] },
    answer,
    sample.id.toUint8Array(),
    sample.network.now(),
    FIVE_MINUTES,
    sample.network.rootKey,
    2,
  );
  if (info.response === undefined) throw new Error('The verifier says nothing of the answer.');
  const certified = new Map(info.response.headers.map(([name, value]) => [name.toLowerCase(), value]));
  return { status: answer.status_code, body: new TextDecoder().decode(answer.body), headers: certified };
}
