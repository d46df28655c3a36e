import { expect, test } from 'vitest';
import { described, describedEvent, eventFaults, knownCall } from './description.ts';

test('a call that GitHub does not have is unknown', () => {
  expect(knownCall('GET', '/repos/octo/site')?.parameters).toEqual({ owner: 'octo', repo: 'site' });
  expect(knownCall('PUT', '/repos/octo/site')).toBeUndefined();
  expect(knownCall('GET', '/repos/octo/site/secrets')).toBeUndefined();
});

test('a request is held to the parameters and the body of its call', () => {
  const call = knownCall('POST', '/app/installations/7/access_tokens');
  const faults = (body: unknown, query = ''): string[] =>
    call?.faults(new URLSearchParams(query), body) ?? [];
  expect(faults({ repository_ids: [1], permissions: { contents: 'read', statuses: 'write' } })).toEqual([]);
  expect(faults({ repository_ids: ['1'] })).toEqual(['/repository_ids/0 must be integer']);
  expect(faults({ permissions: { contents: 'everything' } })).toHaveLength(1);
  expect(faults({}, 'repositories=site')).toEqual(['repositories is no parameter']);
  const other = knownCall('POST', '/app/installations/seven/access_tokens');
  expect(other?.faults(new URLSearchParams(), {})).toEqual(['installation_id must be integer']);
});

test('an answer is held to its status and schema', () => {
  const call = knownCall('GET', '/repos/octo/site');
  expect(call?.answerFaults(200, described('full-repository', { name: 'site' }))).toEqual([]);
  expect(call?.answerFaults(200, described('full-repository', { private: 'yes' }))).toEqual([
    '/private must be boolean',
  ]);
  expect(call?.answerFaults(200, { name: 'site' })).not.toEqual([]);
  expect(call?.answerFaults(201, described('full-repository', {}))).toEqual([
    '201 is no answer of this call',
  ]);
});

test('an event is held to its schema', () => {
  expect(eventFaults('push', describedEvent('push', { ref: 'refs/heads/main' }))).toEqual([]);
  expect(eventFaults('push', describedEvent('push', { deleted: 'no' }))).toEqual([
    '/deleted must be boolean',
  ]);
  expect(eventFaults('pull', {})).toEqual(['pull is no event']);
});
