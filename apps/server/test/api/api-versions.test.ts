import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as contract from '@cannery/contract';
import { describe, expect, test } from 'vitest';
import { contractCalls } from '../authorisation/filled-calls.ts';
import { type ApiDocument, breakingChanges } from './breaking-changes.ts';
import { currentApi, recordedPath } from './recorded-api.ts';

const folder = path.dirname(recordedPath('0'));
const WHAT_TO_DO = `This would break programs that use the API. Keep what there was and add the new beside it: an optional field, another
value, another call. What is to go is deprecated first, for as long as docs/api-versions.md says; then it goes with the
next major version, whose document is kept by \`npm run api:record\`.`;

test('the OpenAPI document has every call of the contract', () => {
  const { paths } = currentApi();
  const described = Object.entries(paths).flatMap(([at, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${at}`),
  );
  expect(described.toSorted()).toEqual(contractCalls.map(([name]) => name).toSorted());
  expect(Object.keys(contract).filter((name) => name.endsWith('Endpoints')).length).toBeGreaterThan(20);
});

test.each(readdirSync(folder).filter((name) => name.endsWith('.json')))(
  'what programs rely on since %s is there',
  (name) => {
    const recorded = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as ApiDocument;
    expect(breakingChanges(recorded, currentApi()), WHAT_TO_DO).toEqual([]);
  },
);

/** A small document with all that can change in it. */
const small = {
  paths: {
    '/things/{id}': {
      post: {
        operationId: 'thing.change',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 50 } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  name: { type: 'string', maxLength: 100 },
                  mode: { type: 'string', enum: ['a', 'b'] },
                  at: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
                },
                required: ['name'],
              },
            },
          },
        },
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    id: { type: 'string' },
                    state: { type: 'string', enum: ['on', 'off'] },
                    size: { type: 'integer' },
                    parts: { type: 'array', items: { type: 'string' } },
                    end: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                  },
                  required: ['id', 'state', 'size', 'parts', 'end'],
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    responses: {
      Error: {
        content: {
          'application/json': {
            schema: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
          },
        },
      },
    },
  },
};
type Small = typeof small;

const call = (document: Small) => document.paths['/things/{id}'].post;
const body = (document: Small) => call(document).requestBody.content['application/json'].schema;
const answer = (document: Small) => call(document).responses[200].content['application/json'].schema;

function changed(change: (document: Small) => unknown): string[] {
  const document = structuredClone(small);
  change(document);
  return breakingChanges(small as ApiDocument, document as ApiDocument);
}

describe('a change breaks programs:', () => {
  const breaking: Readonly<Record<string, (document: Small) => unknown>> = {
    'a path is gone': (one) => Reflect.deleteProperty(one.paths, '/things/{id}'),
    'a method is gone': (one) => Reflect.deleteProperty(one.paths['/things/{id}'], 'post'),
    'a call has another name': (one) => (call(one).operationId = 'thing.edit'),
    'a call takes other credentials': (one) => Object.assign(call(one), { security: [{ apiToken: [] }] }),
    'a parameter is gone': (one) => call(one).parameters.pop(),
    'a parameter is required': (one) => Object.assign(call(one).parameters[1] ?? {}, { required: true }),
    'a required parameter is new': (one) =>
      call(one).parameters.push({ name: 'new', in: 'query', required: true, schema: { type: 'string' } }),
    'a bound of a parameter is narrower': (one) =>
      Object.assign(call(one).parameters[1]?.schema ?? {}, { maximum: 10 }),
    'a required field is new': (one) => {
      Object.assign(body(one).properties, { more: { type: 'string' } });
      body(one).required.push('more');
    },
    'a field of a request is required': (one) => body(one).required.push('mode'),
    'a field of a request is gone': (one) => Reflect.deleteProperty(body(one).properties, 'mode'),
    'a field of a request has another type': (one) => (body(one).properties.name.type = 'integer'),
    'a text of a request may be shorter only': (one) => (body(one).properties.name.maxLength = 50),
    'a text of a request has a pattern': (one) => Object.assign(body(one).properties.name, { pattern: '^a' }),
    'a value of a request is gone': (one) => body(one).properties.mode.enum.pop(),
    'a request may no longer say null': (one) => body(one).properties.at.anyOf.pop(),
    'the body has another type': (one) =>
      Reflect.deleteProperty(call(one).requestBody.content, 'application/json'),
    'a field of an answer is gone': (one) => Reflect.deleteProperty(answer(one).properties, 'state'),
    'a field of an answer may be left out': (one) => answer(one).required.shift(),
    'a field of an answer has another type': (one) => (answer(one).properties.id.type = 'integer'),
    'a number of an answer need not be whole': (one) => (answer(one).properties.size.type = 'number'),
    'items of an answer have another type': (one) => (answer(one).properties.parts.items.type = 'object'),
    'a field of an answer may be something else too': (one) =>
      answer(one).properties.end.anyOf.push({ type: 'object' }),
    'a refusal lacks a field': (one) =>
      Reflect.deleteProperty(
        one.components.responses.Error.content['application/json'].schema.properties,
        'code',
      ),
  };
  test.each(Object.entries(breaking))('%s', (_what, change) => {
    expect(changed(change)).toHaveLength(1);
  });
});

describe('a change breaks nothing:', () => {
  const harmless: Readonly<Record<string, (document: Small) => unknown>> = {
    nothing: () => undefined,
    'a path is new': (one) => Object.assign(one.paths, { '/other': {} }),
    'an optional parameter is new': (one) =>
      call(one).parameters.push({ name: 'new', in: 'query', required: false, schema: { type: 'string' } }),
    'an optional field is new': (one) => Object.assign(body(one).properties, { more: { type: 'string' } }),
    'a value of a request is new': (one) => body(one).properties.mode.enum.push('c'),
    'a bound is wider': (one) => (body(one).properties.name.maxLength = 200),
    'a required field need not be there': (one) => body(one).required.pop(),
    'a number of a request need not be whole': (one) =>
      Object.assign(call(one).parameters[1]?.schema ?? {}, { type: 'number' }),
    'a field of an answer is new': (one) =>
      Object.assign(answer(one).properties, { more: { type: 'string' } }),
    'a value of an answer is new': (one) => answer(one).properties.state.enum.push('broken'),
    'an answer is never null any more': (one) => answer(one).properties.end.anyOf.pop(),
    'an API token may make the call too': (one) =>
      Object.assign(call(one), { security: [{ bearer: [] }, { apiToken: ['x'] }] }),
  };
  test.each(Object.entries(harmless))('%s', (_what, change) => {
    expect(changed(change)).toEqual([]);
  });
});
