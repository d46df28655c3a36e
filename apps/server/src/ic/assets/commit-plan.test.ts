import { describe, expect, test } from 'vitest';
import type { AssetFile } from './asset-file.ts';
import type { Operation } from './asset-interface.ts';
import type { PresentAsset } from '../replies/listed-asset.ts';
import { commitsOf, deletionStep, rulesStep, type SentContent, type Step, stepFor } from './commit-plan.ts';

const page: AssetFile = { key: '/index.html', contentType: 'text/html', bytes: new Uint8Array() };
const script: AssetFile = { key: '/app.js', contentType: 'text/javascript', bytes: new Uint8Array() };

function sent(encoding: string): SentContent {
  return { encoding, sha256: 'ab'.repeat(32), chunkIds: [1n] };
}

function present(changes: Partial<PresentAsset> = {}): PresentAsset {
  return {
    contentType: 'text/html',
    maxAge: undefined,
    headers: [],
    isAliased: undefined,
    allowRawAccess: undefined,
    hashes: new Map([['identity', '00']]),
    ...changes,
  };
}

function step(file: AssetFile, contents: readonly SentContent[], before?: PresentAsset): Step {
  const made = stepFor(file, before, contents, new Set(['identity']));
  if (made === undefined) throw new Error('no step');
  return made;
}

function kinds(operations: readonly Operation[]): string[] {
  return operations.map((operation) => Object.keys(operation).join());
}

test('rules come when all that they lead to is there, and before what they lead from goes', () => {
  const steps = [deletionStep('/old'), rulesStep([]), step(page, [sent('identity')])];
  expect(kinds(commitsOf(steps).flat())).toEqual([
    'CreateAsset',
    'SetAssetContent',
    'SetRedirectRules',
    'DeleteAsset',
  ]);
});

describe('the step of one file', () => {
  test('a new file is created and filled', () => {
    expect(kinds(step(page, [sent('identity')]).operations)).toEqual(['CreateAsset', 'SetAssetContent']);
  });

  test('another content type needs a new asset', () => {
    const operations = step(page, [sent('identity')], present({ contentType: 'text/plain' })).operations;
    expect(kinds(operations)).toEqual(['DeleteAsset', 'CreateAsset', 'SetAssetContent']);
  });

  test('an encoding that is no longer made is taken away', () => {
    const before = present({
      hashes: new Map([
        ['identity', '00'],
        ['gzip', '11'],
      ]),
    });
    expect(step(page, [], before).operations).toEqual([
      { UnsetAssetContent: { key: '/index.html', content_encoding: 'gzip' } },
    ]);
  });

  test('nothing changed, or only the cookie that the canister sets itself: no step', () => {
    const wanted = new Set(['identity']);
    expect(stepFor(page, present(), [], wanted)).toBeUndefined();
    expect(stepFor(page, present({ headers: [['Set-Cookie', 'ic_env=1']] }), [], wanted)).toBeUndefined();
    expect(stepFor(page, present({ headers: [['x', '1']] }), [], wanted)).toBeDefined();
  });

  test.each([{ enableAliasing: false }, { allowRawAccess: false }, { maxAge: 5 }])(
    '%j alone is a change',
    (change) => {
      const wanted = new Set(['identity']);
      expect(kinds(step({ ...page, ...change }, [], present()).operations)).toEqual(['SetAssetProperties']);
      const before = present({ isAliased: false, allowRawAccess: false, maxAge: 5n });
      const same = { ...page, enableAliasing: false, allowRawAccess: false, maxAge: 5 };
      expect(stepFor(same, before, [], wanted)).toBeUndefined();
    },
  );
});

describe('commits', () => {
  test('files come before pages and deletions last', () => {
    const [commit = []] = commitsOf([
      deletionStep('/old.js'),
      step(page, [sent('identity')]),
      step(script, [sent('identity')]),
    ]);
    const keys = commit.map((operation) =>
      Object.values(operation)
        .map(({ key }) => key)
        .join(),
    );
    expect(keys).toEqual(['/app.js', '/app.js', '/index.html', '/index.html', '/old.js']);
  });

  test('a site of ordinary size changes in one commit', () => {
    const steps = Array.from({ length: 500 }, (_, i) =>
      step({ ...page, key: `/${i}.html` }, [sent('identity'), sent('gzip')]),
    );
    expect(commitsOf(steps)).toHaveLength(1);
  });

  test('a commit stays within operations and message size', () => {
    const many = Array.from({ length: 2000 }, (_, i) =>
      step({ ...page, key: `/${i}.html` }, [sent('identity')]),
    );
    expect(commitsOf(many).map((commit) => commit.length)).toEqual([1500, 1500, 1000]);
    const wordy = Array.from({ length: 60 }, (_, i) =>
      step({ ...page, key: `/${i}`, headers: [['x', 'y'.repeat(100_000)]] }, []),
    );
    expect(commitsOf(wordy).length).toBe(4);
  });
});
