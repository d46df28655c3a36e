import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { verifyRequestResponsePair } from '@dfinity/response-verification';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '@cannery/ic/certification/bytes';
import { encodeCbor, treeToCbor } from '@cannery/ic/certification/tree/cbor';
import { Certifier } from '@cannery/ic/certification/certifier';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { hashOf, type HashTree, leaf } from '@cannery/ic/certification/tree/hash-tree';
import { loadOrCreateKeys, type NetworkKeys } from '@cannery/ic/certification/signatures/keys';
import { type RootSigner, startSigner } from '@cannery/ic/certification/signatures/signer';
import { StateTree } from '@cannery/ic/certification/tree/state-tree';
import { subnetDirectory } from '@cannery/ic/certification/tree/subnet-leaves';
import { directoryOf, getEntry, setEntry } from '@cannery/ic/certification/tree/tree-directory';
import { witness } from '../../../../ic/src/certification/tree/witness.ts';
import { Budget } from '@cannery/ic/budget';
import { parseCertificateExpression } from './certificate-expression.ts';
import { type Claim, claimOf, settled } from './claim.ts';
import type { CanisterHttpRequest, Header } from './http-messages.ts';
import { requestHash, responseHash } from './message-hashes.ts';
import type { PlainResponse } from '../page/partial-response.ts';
import { THREAD_LIMITS } from '../reading/read-answer.ts';
import { unpackedHash } from './unpacked-hash.ts';
import { checkClaim, type Verifier } from './verify-response.ts';

const canisterId = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1, 1);
const now = (): bigint => BigInt(Date.now()) * 1_000_000n;

const RESPONSE_ONLY =
  'default_certification(ValidationArgs{certification:Certification{no_request_certification:Empty{},response_certification:ResponseCertification{certified_response_headers:ResponseHeaderList{headers:["Content-Type"]}}}})';
const FULL =
  'default_certification ( ValidationArgs { certification: Certification { request_certification: RequestCertification { certified_request_headers: ["host"], certified_query_parameters: ["q"] }, response_certification: ResponseCertification { response_header_exclusions: ResponseHeaderList { headers: ["Date"] } } } } )';
const SKIP = 'default_certification(ValidationArgs{no_certification:Empty{}})';

let dataDir: string;
let keys: NetworkKeys;
let signer: RootSigner;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-gateway-'));
  keys = await loadOrCreateKeys(dataDir);
  signer = startSigner(keys.rootSecretKey);
});

afterAll(async () => {
  await signer.close();
  rmSync(dataDir, { recursive: true });
});

const request: CanisterHttpRequest = {
  method: 'GET',
  url: '/docs/a%20page?q=1&session=2',
  headers: [
    ['host', 'x.localhost'],
    ['accept', '*/*'],
  ],
  body: new Uint8Array(),
};
const plain: PlainResponse = {
  status: 200,
  headers: [
    ['Content-Type', 'text/html'],
    ['Date', 'today'],
  ],
  body: utf8('<h1>hi</h1>'),
};

function put(tree: HashTree, path: readonly Uint8Array[], value: HashTree): HashTree {
  const [label, ...rest] = path;
  if (!label) return value;
  return setEntry(tree, label, put(getEntry(tree, label) ?? directoryOf([]), rest, value));
}

interface Site {
  readonly expression: string;
  readonly path: readonly string[];
  /** Other expression paths in the canister's tree. */
  readonly others?: readonly (readonly string[])[];
  /** Paths of the tree shown in the header, besides the one that answers. */
  readonly shown?: readonly (readonly string[])[];
}

const WILDCARD: Site = {
  expression: RESPONSE_ONLY,
  path: ['http_expr', '<*>'],
  shown: [
    ['http_expr', 'docs', 'a page', '<$>'],
    ['http_expr', 'docs', 'a page', '<*>'],
    ['http_expr', 'docs', '', '<*>'],
    ['http_expr', 'docs', '<*>'],
    ['http_expr', '', '<*>'],
  ],
};
const EXACT: Site = { expression: FULL, path: ['http_expr', 'docs', 'a page', '<$>'] };

/** A network whose canister certified `response` to `request` with version 2, and that response as sent. */
async function certify(site: Site): Promise<{ verifier: Verifier; response: PlainResponse }> {
  const headers: Header[] = [...plain.headers, ['IC-CertificateExpression', site.expression]];
  const expression = parseCertificateExpression(site.expression);
  const entry =
    expression.kind === 'nothing'
      ? []
      : [
          expression.request ? requestHash(hashed(request), expression.request) : new Uint8Array(),
          responseHash(hashed({ ...plain, headers }), expression),
        ];
  const path = [...site.path.map(utf8), sha256(utf8(site.expression))];
  let tree = put(directoryOf([]), [...path, ...entry], leaf(new Uint8Array()));
  for (const other of site.others ?? []) tree = put(tree, other.map(utf8), leaf(utf8('other')));
  const shown = witness(tree, [path, ...(site.shown ?? []).map((each) => each.map(utf8))]);
  const fields = { tree: shown, version: 2, path: site.path };
  return issue(hashOf(tree), fields, headers, plain);
}

async function issue(
  certifiedData: Uint8Array,
  { tree, version, path }: { tree: HashTree; version: number; path?: readonly string[] },
  headers: readonly Header[],
  { status, body }: PlainResponse,
  versions?: { readonly text: string; readonly visibility: 'public' | 'private' },
): Promise<{ verifier: Verifier; response: PlainResponse }> {
  const state = new StateTree(subnetDirectory(keys));
  const metadata = versions
    ? [
        {
          name: 'supported_certificate_versions',
          visibility: versions.visibility,
          content: utf8(versions.text),
        },
      ]
    : [];
  const canister = {
    canisterId,
    createdAtNanos: 0n,
    controllers: [],
    moduleHash: new Uint8Array(32),
    certifiedData,
    metadata,
  };
  state.apply({ canisters: [canister], deleted: [], requests: [] }, now());
  const certifier = new Certifier(state, signer, now);
  const certificate = await certifier.certificate([[utf8('canister'), canisterId, utf8('certified_data')]]);
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  const header = [
    `certificate=:${base64(certificate)}:`,
    `tree=:${base64(encodeCbor(treeToCbor(tree)))}:`,
    ...(version === 1 ? [] : [`version=${version}`]),
    ...(path ? [`expr_path=:${base64(encodeCbor(path))}:`] : []),
  ].join(', ');
  return {
    verifier: { certifier, state, now },
    response: { status, headers: [...headers, ['IC-Certificate', header]], body },
  };
}

/** The verdict of the reference implementation. */
function judge(response: PlainResponse, asked = request): string {
  try {
    verifyRequestResponsePair(
      {
        method: asked.method,
        url: asked.url,
        headers: asked.headers.map(([name, value]) => [name, value]),
        body: asked.body,
        certificate_version: [2],
      },
      {
        status_code: response.status,
        headers: response.headers.map(([name, value]) => [name, value]),
        body: response.body,
      },
      canisterId,
      now(),
      300_000_000_000n,
      keys.rootKey,
      1,
    );
    return 'verified';
  } catch (error) {
    return (error as { message: string }).message;
  }
}

const hashed = <Message extends { readonly body: Uint8Array }>(
  message: Message,
): Message & { readonly bodyHash: Uint8Array } => ({ ...message, bodyHash: sha256(message.body) });

/** As the gateway makes a claim, whose body is unpacked where it rests on that. */
async function claim(asked: CanisterHttpRequest, response: PlainResponse): Promise<Claim> {
  const budget = new Budget(THREAD_LIMITS);
  const made = claimOf({ ...hashed(asked), canisterId }, hashed(response), budget);
  if (!made.unpacked) return made;
  return settled(made, await unpackedHash(response.body, made.unpacked.encoding, budget));
}

async function verdict(verifier: Verifier, response: PlainResponse, asked = request): Promise<string> {
  try {
    checkClaim(verifier, canisterId, await claim(asked, response));
    return 'verified';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('version 2', () => {
  test.each([
    ['an exact path with request and response certified', EXACT],
    ['a wildcard with the response certified', WILDCARD],
    ['a path excepted from certification', { ...WILDCARD, expression: SKIP }],
  ])('%s is verified, as the reference does', async (_name, site) => {
    const { verifier, response } = await certify(site);
    expect(await verdict(verifier, response)).toBe('verified');
    expect(judge(response)).toBe('verified');
  });

  test.each<[string, string, Site, Partial<PlainResponse>, Partial<CanisterHttpRequest>]>([
    ['a changed body', 'not what the canister certified', EXACT, { body: utf8('<h1>evil</h1>') }, {}],
    ['a changed status', 'not what the canister certified', WILDCARD, { status: 404 }, {}],
    ['another certified query', 'not what', EXACT, {}, { url: '/docs/a%20page?q=2' }],
    ['another method', 'not what', EXACT, {}, { method: 'POST' }],
    ['another path', 'does not match', EXACT, {}, { url: '/docs?q=1' }],
    ['a hidden exact path', 'is more specific', { ...WILDCARD, others: [EXACT.path], shown: [] }, {}, {}],
    [
      'a more specific wildcard',
      'is more specific',
      { ...WILDCARD, others: [['http_expr', 'docs', '<*>']] },
      {},
      {},
    ],
  ])('%s is refused, as the reference does', async (_name, reason, site, change, requestChange) => {
    const { verifier, response } = await certify(site);
    const changed = { ...response, ...change };
    const asked = { ...request, ...requestChange };
    expect(await verdict(verifier, changed, asked)).toContain(reason);
    expect(judge(changed, asked)).not.toBe('verified');
  });

  test('headers and query parameters that are not certified may change', async () => {
    const { verifier, response } = await certify(EXACT);
    const changed = {
      ...response,
      headers: response.headers.map(([n, v]) => [n, n === 'Date' ? 'later' : v] as const),
    };
    const asked = { ...request, url: '/docs/a%20page?q=1&session=99' };
    expect(await verdict(verifier, changed, asked)).toBe('verified');
    expect(judge(changed, asked)).toBe('verified');
  });

  test('a certificate of another network is refused', async () => {
    const { response } = await certify(EXACT);
    const { verifier } = await certify(EXACT);
    expect(await verdict(verifier, response)).toContain('was not issued by this network');
  });

  test('an old certificate is refused', async () => {
    const { verifier, response } = await certify(EXACT);
    const later = { ...verifier, now: () => now() + 301_000_000_000n };
    expect(await verdict(later, response)).toContain('too old');
  });

  test('responses without or with damaged headers are refused with the reason', async () => {
    const { verifier, response } = await certify(EXACT);
    const withHeader = (value: string): PlainResponse => ({
      ...response,
      headers: [...plain.headers, ['ic-certificate', value]],
    });
    expect(await verdict(verifier, plain)).toContain('does not certify');
    expect(await verdict(verifier, withHeader('nonsense'))).toContain('has no certificate');
    expect(await verdict(verifier, withHeader('certificate=:AAAA:, tree=:AAAA:'))).toContain('damaged');
    const strange = { ...EXACT, expression: 'default_certification(ValidationArgs{})' };
    await expect(certify(strange)).rejects.toThrow('not understood');
  });
});

describe('version 1', () => {
  const body = utf8('body { color: red }');
  const tree = directoryOf([
    [utf8('http_assets'), directoryOf([[utf8('/docs/a page'), leaf(sha256(body))]])],
  ]);

  test('plain and compressed bodies are verified, as the reference does', async () => {
    const gzipped: Header[] = [['Content-Encoding', 'gzip']];
    for (const [headers, sent] of [
      [[], body],
      [gzipped, gzipSync(body)],
    ] as const) {
      const { verifier, response } = await issue(hashOf(tree), { tree, version: 1 }, headers, {
        ...plain,
        body: sent,
      });
      expect(await verdict(verifier, response)).toBe('verified');
      expect(judge(response)).toBe('verified');
      expect(await verdict(verifier, { ...response, body: utf8('x') })).not.toBe('verified');
    }
  });

  test('it is refused from a canister that offers version 2', async () => {
    for (const versions of [
      { text: '1,2', visibility: 'public' },
      { text: '1', visibility: 'private' },
    ] as const) {
      const fields = { tree, version: 1 };
      const { verifier, response } = await issue(hashOf(tree), fields, [], { ...plain, body }, versions);
      expect(await verdict(verifier, response)).toContain('supports version 2');
    }
  });
});
