import {
  canisterPictureEndpoints,
  type Endpoint,
  deployEndpoints,
  endpoint as declare,
  marketplaceEndpoints,
  repositoryEndpoints,
  sessionEndpoints,
} from '@cannery/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contractCalls, filledCall, type Holdings, kinds, slotsOf } from './filled-calls.ts';
import { freshInstance, freshRepository, freshSite, instanceOf } from './fresh-things.ts';
import { type MatrixWorld, newFileFor, openMatrixWorld, type Resident } from './matrix-world.ts';
import { MIDDLEWARE, otherRoutes, visitorsLike } from './other-routes.ts';
import type { Stranger } from './strangers.ts';
import type { WireAnswer, WireCall } from '../support/wire.ts';

/** Calls of the contract that anybody may make; every other one is for signed-in users. */
const OPEN = [
  'POST /auth/exchange',
  'POST /auth/internet-identity/challenge',
  'POST /auth/internet-identity',
  'POST /auth/logout',
  'GET /config',
  'GET /health',
];
/** The call that deletes a canister. */
const SPENDS_ALL = '/canister/delete';
/** The call after which a user is signed in nowhere. */
const ENDS_ALL = sessionEndpoints.endAll;
/** The call that is refused while runs of the deploy are under way, which other calls have begun. */
const DELETES_DEPLOY = deployEndpoints.delete;
/** Take a repository away from its name; other calls need that of the deploys. */
const MOVES_REPOSITORY: readonly Endpoint[] = [repositoryEndpoints.rename, repositoryEndpoints.remove];
/** Needs a canister with an older version of the dapp. */
const UPGRADES = marketplaceEndpoints.upgrade;
/** Needs a dapp of somebody else and a canister with it. */
const RATES = marketplaceEndpoints.rate;
/** Needs a canister that answers HTTP. */
const ORDERS_PICTURE = canisterPictureEndpoints.orderPicture;
const closedCalls = contractCalls.filter(([name]) => !OPEN.includes(name));
/** Calls that show to every signed-in user what one of them has put into the marketplace (OP-34). */
const COMMON = [
  'GET /marketplace/{id}',
  'GET /marketplace/versions/{id}',
  'GET /marketplace/interface/{id}',
  'GET /marketplace/rating/{id}',
];
/** The call that nobody's canister is ready for: dapp-upgrades.integration.test.ts carries it out. */
const AFTER_UPGRADE = 'POST /marketplace/back';
/** Calls that lead nowhere without a GitHub App: github-attacks.integration.test.ts makes them as everybody else. */
const AT_GITHUB = ['POST /github/connections', 'POST /github/connected'];
const commonCalls = closedCalls.filter(([name]) => COMMON.includes(name));
const callsWithIds = closedCalls.filter((one) => !commonCalls.includes(one) && namesThings(one[1]));
const callsWithoutIds = closedCalls.filter(
  (one) => !commonCalls.includes(one) && !callsWithIds.includes(one) && !AT_GITHUB.includes(one[0]),
);

/** Also true for a call with a place that nobody has explained, so that its own tests fail and say so. */
function namesThings(endpoint: Endpoint): boolean {
  try {
    return slotsOf(endpoint).some(({ kind }) => kind !== undefined);
  } catch {
    return true;
  }
}

/** Declared or not; CONNECT has no path. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Ways to write the path of an address that a careless check or router may read differently. */
const spellings: Readonly<Record<string, (path: string) => string>> = {
  'a slash before': (path) => `/${path}`,
  'a slash twice': (path) => path.replace('/api/', '/api//'),
  'a slash behind': (path) => path.replace(/(?=\?|$)/, '/'),
  'two slashes behind': (path) => path.replace(/(?=\?|$)/, '//'),
  'a dot': (path) => path.replace('/api/', '/api/./'),
  'a coded dot': (path) => path.replace('/api/', '/api/%2e/'),
  'up and down': (path) => path.replace('/api/', '/assets/../api/'),
  'coded up and down': (path) => path.replace('/api/', '/assets/%2e%2e/api/'),
  'a coded letter': (path) => path.replace('/api/', '/%61pi/'),
  'a coded slash': (path) => path.replace('/api/', '/api%2f'),
  'a backslash': (path) => path.replace('/api/', '/api\\'),
  'upper case': (path) => path.toUpperCase(),
  'a parameter': (path) => path.replace(/(?=\?|$)/, ';a=b'),
  'a coded zero': (path) => path.replace(/(?=\?|$)/, '%00'),
  'a fragment': (path) => `${path}#a`,
  'another origin': (path) => `http://127.0.0.1${path}`,
};

let world: MatrixWorld;
beforeAll(async () => {
  world = await openMatrixWorld();
  kept = await world.dump();
});
afterAll(() => world.close());

/** A call by somebody, beside what the call itself is made of. */
function as(call: WireCall, headers: Readonly<Record<string, string>>, query = ''): WireCall {
  const path = query === '' ? call.path : `${call.path}${call.path.includes('?') ? '&' : '?'}${query}`;
  return { ...call, path, headers: { ...call.headers, ...headers } };
}

/** `/deploy/repos` is a separate path, and for other methods one of `/deploy/{id}`. */
function leadsTo(address: string, { path }: Endpoint): boolean {
  const [bare] = address.split('?');
  return new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`).test(bare ?? '');
}

const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
const signedIn = ({ client }: Pick<Resident, 'client'>) => bearing(client.token);
const of = (holdings: Holdings) => (slot: { kind: keyof Holdings }) => holdings[slot.kind];

/** An answer without the names that were asked for: what is left must not depend on whether they exist. */
function withoutNames(answer: WireAnswer, holdings: Holdings): WireAnswer {
  const strip = (text: string): string =>
    kinds.reduce((left, kind) => left.replaceAll(holdings[kind], `<${kind}>`), text);
  return { ...answer, headers: answer.headers.map(strip), text: strip(answer.text) };
}

/** What the product kept when it was last looked at. */
let kept: string[] = [];

async function expectNothingChanged(): Promise<void> {
  const before = kept;
  kept = await world.dump();
  expect(kept).toEqual(before);
}

/** Lines of the dump that name Ada or anything of hers. */
function linesOfAda(lines: readonly string[]): string[] {
  const { marks, userId } = world.ada;
  return lines.filter((line) => [...marks, userId].some((mark) => line.includes(mark)));
}

/** The others may have changed what is theirs. */
async function expectNothingOfAdaChanged(): Promise<void> {
  const before = kept;
  kept = await world.dump();
  expect(linesOfAda(kept)).toEqual(linesOfAda(before));
}

function expectNothingOfAda(answer: WireAnswer): void {
  const all = [...answer.headers, answer.text].join('\n');
  for (const mark of world.ada.marks) expect(all).not.toContain(mark);
}

/** Of all that is hers the answer names one deploy, which has a name of its own repository in it. */
function expectNothingOfAdaBut(answer: WireAnswer, deploy: string): void {
  const rows = JSON.parse(answer.text) as { id: string }[];
  expect(rows.map(({ id }) => id)).toEqual([deploy]);
  const { deploy: hidden, instance, canister } = world.ada.holdings;
  for (const mark of [hidden, instance, canister]) expect(answer.text).not.toContain(mark);
}

test('the matrix holds every route of the contract, and refuses a call whose ids nobody has named', () => {
  for (const [, { method, path }] of contractCalls) {
    expect(world.routes).toContain(`${method} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  }
  const later = declare({
    method: 'POST',
    path: '/later/added',
    summary: '',
    signedIn: true,
    body: z.object({ something_id: z.string() }),
    response: z.string(),
  });
  expect(() => slotsOf(later)).toThrow('something_id');
});

describe('[API-03] [OP-52] without a valid session there is one answer, whatever is asked', () => {
  test.each(closedCalls)('%s', async (_name, endpoint) => {
    const refusal = await world.wire.send({ method: 'GET', path: '/api/user/profile' });
    expect(refusal.status).toBe(401);
    const call = filledCall(endpoint, of(world.ada.holdings), newFileFor(endpoint));
    const answers = world.strangers.map(async ({ name, headers, query }) => {
      expect(await world.wire.send(as(call, headers, query)), name).toEqual(refusal);
    });
    await Promise.all(answers);
    const others = [filledCall(endpoint, of(world.absent)), { ...call, body: '{"no JSON' }];
    for (const other of others) expect(await world.wire.send(other)).toEqual(refusal);
    await expectNothingChanged();
  });
});

describe("[AUTH-16] [OP-52] somebody else's ids answer like absent ones", () => {
  test.each(callsWithIds)('%s', async (_name, endpoint) => {
    const { ada, eve, absent, wire } = world;
    const named = slotsOf(endpoint).filter(({ kind }) => kind !== undefined);
    // Each place alone beside her own things, then all of them.
    for (const places of [...named.map(({ name }) => [name]), named.map(({ name }) => name)]) {
      const ask = async (others: Holdings): Promise<WireAnswer> => {
        const call = filledCall(
          endpoint,
          ({ name, kind }) => (places.includes(name) ? others : eve.holdings)[kind],
          newFileFor(endpoint),
        );
        return withoutNames(await wire.send(as(call, signedIn(eve))), others);
      };
      const foreign = await ask(ada.holdings);
      expect(foreign).toEqual(await ask(absent));
      expect([400, 404], foreign.text).toContain(foreign.status);
      expect(JSON.parse(foreign.text).code).toMatch(/not_found$/);
    }
    await expectNothingChanged();
  });
});

describe('[MKT-11] what is in the marketplace is the same for all who are signed in', () => {
  test.each(commonCalls)('%s', async (_name, endpoint) => {
    const { ada, eve, absent, wire } = world;
    const call = filledCall(endpoint, of(ada.holdings));
    const answer = await wire.send(as(call, signedIn(eve)));
    expect(answer.status, answer.text).toBe(200);
    expectNothingOfAda(answer);
    expect(await wire.send(as(call, signedIn(ada)))).toEqual(answer);
    const missing = await wire.send(as(filledCall(endpoint, of(absent)), signedIn(eve)));
    expect(missing.status).toBe(404);
    await expectNothingChanged();
  });
});

describe("[AUTH-16] calls that name nothing show and change what is the caller's only", () => {
  test.each(callsWithoutIds)('%s', async (_name, endpoint) => {
    const call = filledCall(endpoint, of(world.eve.holdings), newFileFor(endpoint));
    const caller = endpoint === ENDS_ALL ? { client: await world.newcomer() } : world.eve;
    const answer = await world.wire.send(as(call, signedIn(caller)));
    expect(answer.status, answer.text).toBe(200);
    expectNothingOfAda(answer);
    await expectNothingOfAdaChanged();
  });

  test.each(OPEN)('%s', async (name) => {
    const endpoint = contractCalls.find(([one]) => one === name)?.[1];
    if (endpoint === undefined) throw new Error(`There is no call ${name}.`);
    const call = filledCall(endpoint, of(world.ada.holdings));
    const { headers: anonymous } = await world.wire.send(call);
    // A sign-out forgets the session of its token, also one that has expired.
    const others: Stranger[] = [
      ...world.strangers.filter((one) => one.name !== 'expired'),
      { name: 'an API token', headers: bearing(world.ada.apiTokens.both) },
    ];
    for (const { name: who, headers, query } of others) {
      const answer = await world.wire.send(as(call, headers, query));
      expect(answer.headers, who).toEqual(anonymous);
      expectNothingOfAda(answer);
    }
    await expectNothingOfAdaChanged();
  });
});

describe('an API token makes the calls of its scopes, on the deploys it is limited to, and no other', () => {
  const byToken = (endpoint: Endpoint, token: string, holdings = world.ada.holdings): Promise<WireAnswer> =>
    world.wire.send(as(filledCall(endpoint, of(holdings), newFileFor(endpoint)), bearing(token)));

  test.each(closedCalls)('%s', async (_name, endpoint) => {
    const { read, run, both, elsewhere } = world.ada.apiTokens;
    const { scope } = endpoint;
    const others =
      scope === undefined ? [read, run, both, elsewhere] : [scope === 'deploys:read' ? run : read];
    for (const token of others) {
      const refusal = await byToken(endpoint, token);
      expect([refusal.status, JSON.parse(refusal.text).code], refusal.text).toEqual([403, 'not_allowed']);
      expectNothingOfAda(refusal);
      // What it names changes nothing: a token without the scope does not learn what there is.
      expect(await byToken(endpoint, token, world.absent)).toEqual(refusal);
    }
    if (scope !== undefined && namesThings(endpoint)) {
      const refusal = await byToken(endpoint, elsewhere);
      expect([refusal.status, JSON.parse(refusal.text).code], refusal.text).toEqual([404, 'not_found']);
      expect(await byToken(endpoint, elsewhere, world.absent)).toEqual(refusal);
    } else if (scope !== undefined) {
      const part = await byToken(endpoint, elsewhere);
      expect(part.status, part.text).toBe(200);
      expectNothingOfAdaBut(part, world.ada.apiTokens.otherDeploy);
    }
    await expectNothingChanged();
  });
});

describe('a path has the methods of the contract and no other', () => {
  const paths = [...new Set(contractCalls.map(([, { path }]) => path))];
  test.each(paths)('%s', async (path) => {
    const first = contractCalls.find(([, one]) => one.path === path)?.[1];
    if (first === undefined) throw new Error('Every path has a call.');
    const { path: address } = filledCall(first, of(world.ada.holdings));
    const declared = contractCalls.filter(([, one]) => leadsTo(address, one)).map(([, one]) => one);
    const nothing = await world.wire.send({ method: 'POST', path: '/api/no-such-call' });
    expect(nothing.status).toBe(404);
    const known = declared.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    for (const who of [{}, signedIn(world.eve), signedIn(world.ada)]) {
      for (const method of METHODS.filter((one) => !known.includes(one))) {
        const answer = await world.wire.send({ method, path: address, headers: who });
        expect(answer, method).toEqual(method === 'HEAD' ? { ...nothing, text: '' } : nothing);
      }
    }
    await expectNothingChanged();
  });

  const reads = contractCalls.filter(([, { method }]) => method === 'GET');
  test.each(reads)('HEAD is %s without its body', async (_name, endpoint) => {
    for (const holdings of [world.ada.holdings, world.absent]) {
      const call = filledCall(endpoint, of(holdings));
      for (const who of [{}, signedIn(world.eve)]) {
        const { status, headers } = await world.wire.send(as(call, who));
        const answer = await world.wire.send({ ...as(call, who), method: 'HEAD' });
        expect(answer).toEqual({ status, headers, text: '' });
      }
    }
    await expectNothingOfAdaChanged();
  });
});

describe('an address spelled otherwise opens nothing', () => {
  test.each(callsWithIds)('%s', async (_name, endpoint) => {
    const call = filledCall(endpoint, of(world.ada.holdings));
    const page = await world.wire.send({ method: 'GET', path: '/ics/dashboard' });
    for (const [what, spell] of Object.entries(spellings)) {
      for (const who of [{}, signedIn(world.eve)]) {
        const answer = await world.wire.send({ ...as(call, who), path: spell(call.path) });
        if (answer.text === page.text) continue;
        expect([400, 401, 404], what).toContain(answer.status);
        expect(JSON.parse(answer.text).code, what).toMatch(/not_found|unauthenticated|invalid_input/);
      }
    }
    await expectNothingChanged();
  });
});

describe('what stands beside the contract', () => {
  test('every route of the server is in the matrix', () => {
    const ofContract = contractCalls.map(
      ([, { method, path }]) => `${method} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    // Fastify adds a HEAD to every GET.
    const rows = [...world.routes].map((row) => row.replace(/^HEAD /, 'GET '));
    const others = Object.keys(otherRoutes).filter((row) => row !== MIDDLEWARE);
    const all = new Set([...ofContract, ...others]);
    expect([...new Set(rows)].toSorted()).toEqual([...all].toSorted());
  });

  test.each(Object.entries(otherRoutes))('%s', async (_name, callsFor) => {
    const { ada, eve, absent, wire, signIns } = world;
    // Ada's own cookie is hers here.
    const strangers = world.strangers.filter(({ headers }) => headers.cookie === undefined);
    const foreign = callsFor({ ...ada.holdings, signIn: signIns.ada });
    const missing = callsFor({ ...absent, signIn: signIns.nobody });
    for (const [index, call] of foreign.entries()) {
      const other = missing[index];
      if (other === undefined) throw new Error('The calls for everybody are the same.');
      for (const { name, headers, query } of [...strangers, ...world.strangeCookies, ...visitorsLike(eve)]) {
        const answer = await wire.send(as(call, headers, query));
        expectNothingOfAda(withoutNames(answer, ada.holdings));
        if (JSON.stringify(call) === JSON.stringify(other)) continue;
        const nobodys = await wire.send(as(other, headers, query));
        expect(withoutNames(answer, ada.holdings), name).toEqual(withoutNames(nobodys, absent));
      }
    }
    await expectNothingOfAdaChanged();
  });
});

describe('the same calls by their owner are carried out, so that the refusals above are refusals', () => {
  test.each(callsWithIds.filter(([name]) => name !== AFTER_UPGRADE))('%s', async (_name, endpoint) => {
    const { ada, eve, wire, freshCanister, freshDeploy } = world;
    const spends = slotsOf(endpoint).some(({ kind }) => kind === 'snapshot') || endpoint.path === SPENDS_ALL;
    const holdings = {
      ...ada.holdings,
      ...(spends ? await freshCanister(ada.client) : {}),
      ...(endpoint === DELETES_DEPLOY ? await freshDeploy(ada) : {}),
      ...(endpoint === UPGRADES ? await freshInstance(ada.client) : {}),
      ...(endpoint === RATES ? await instanceOf(eve.client, ada.client) : {}),
      ...(endpoint === ORDERS_PICTURE ? await freshSite(ada.client) : {}),
      ...(MOVES_REPOSITORY.includes(endpoint) ? await freshRepository(ada.client) : {}),
    };
    const answer = await wire.send(as(filledCall(endpoint, of(holdings)), signedIn(ada)));
    expect(answer.status, answer.text).toBe(200);
  });
});

describe('an API token with the scope carries the calls out, so that its refusals above are refusals', () => {
  const scoped = closedCalls.filter(([, { scope }]) => scope !== undefined);
  test.each(scoped)('%s', async (_name, endpoint) => {
    const { ada, wire } = world;
    const answer = await wire.send(as(filledCall(endpoint, of(ada.holdings)), bearing(ada.apiTokens.both)));
    expect(answer.status, answer.text).toBe(200);
  });
});
