import { expect, test } from 'vitest';
import { configOf } from './config.ts';
import { type EnvInput, readEnv } from './env.ts';
import { ROLES } from './role-options.ts';
import { partsOf } from './roles.ts';

const config = (env: EnvInput) => configOf(readEnv(env));
const git = {
  DATABASE_URL: 'postgres://db.example/cannery',
  SECRETS_KEY_FILE: '/etc/cannery/secrets.key',
  PUBLIC_URL: 'https://console.example.com',
};
const api = {
  ...git,
  IC_URL: 'http://network.example:4943',
  IC_IDENTITY_FILE: '/etc/cannery/identity.pem',
  BLOBS_S3_URL: 'https://s3.example.com',
  BLOBS_S3_BUCKET: 'cannery',
  BLOBS_S3_ACCESS_KEY: 'a',
  BLOBS_S3_SECRET_KEY: 's',
};
const OIDC = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's' };

test('without a role a process is everything, and needs no setting', () => {
  expect(config({}).role).toBe('all');
  expect(partsOf('all')).toEqual({
    serves: 'console',
    repositories: 'here',
    keepsHouse: true,
    works: 'setting',
  });
});

test.each([
  ['api', { ...api, ...OIDC }],
  ['worker', { ...api, HOST: '0.0.0.0' }],
  ['git', { ...git, HOST: '0.0.0.0' }],
  ['network', { HOST: '0.0.0.0' }],
] as const)('%s starts with what it needs, and says each thing that is missing', (role, env) => {
  expect(config({ ...env, ROLE: role }).role).toBe(role);
  const needed = role === 'network' ? {} : role === 'git' ? git : api;
  const together = ['BLOBS_S3_BUCKET', 'BLOBS_S3_ACCESS_KEY', 'BLOBS_S3_SECRET_KEY'];
  for (const name of Object.keys(needed).filter((one) => !together.includes(one))) {
    const without = Object.fromEntries(Object.entries(env).filter(([one]) => one !== name));
    expect(() => config({ ...without, ROLE: role }), name).toThrow(
      new RegExp(`The role ${role} needs more settings[^]*  ${name}: `),
    );
  }
});

test('only who signs people in needs an identity provider away from loopback', () => {
  expect(() => config({ ...api, ROLE: 'api' })).toThrow(/embedded sign-in/);
  expect(() => config({ ...api, ROLE: 'worker' })).not.toThrow();
});

test('there are no other roles', () => {
  expect(() => config({ ROLE: 'wroker' })).toThrow(`must be one of ${ROLES.join(', ')}`);
});
