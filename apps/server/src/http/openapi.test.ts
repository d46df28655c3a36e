import { canisterEndpoints, deployEndpoints, documentEndpoints, sessionEndpoints } from '@cannery/contract';
import { expect, test } from 'vitest';
import { openApiOf } from './openapi.ts';

interface Operation {
  operationId: string;
  security?: unknown[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
}
const endpoints = {
  canister: canisterEndpoints,
  deploy: deployEndpoints,
  document: documentEndpoints,
  session: sessionEndpoints,
};
const document = openApiOf(endpoints, { title: 'Test', version: '1', server: '/api' });
const operation = (path: string, method: string) =>
  (document.paths as Record<string, Record<string, Operation>>)[path]?.[method];

test('the OpenAPI document holds every endpoint of the contract', () => {
  for (const noun of Object.values(endpoints)) {
    for (const { path, method } of Object.values(noun)) {
      expect(operation(path, method.toLowerCase())?.operationId, path).toBeTypeOf('string');
    }
  }
});

test('parameters, bodies, uploads and open calls are described', () => {
  expect(operation('/canister/status/{id}', 'get')?.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
    { name: 'real_time', in: 'query', required: false },
  ]);
  const topUp = operation('/canister/topup', 'post')?.requestBody?.content['application/json'];
  expect(Object.keys(topUp?.schema.properties ?? {})).toEqual(['canister_id', 'amount']);
  expect(operation('/canister/topup', 'post')?.parameters).toMatchObject([
    { name: 'Idempotency-Key', in: 'header', required: false },
  ]);
  const upload = operation('/document/upload', 'post')?.requestBody?.content['multipart/form-data'];
  expect(Object.keys(upload?.schema.properties ?? {})).toEqual(['wasm']);
  expect(operation('/auth/exchange', 'post')?.security).toEqual([]);
  expect(operation('/canister/list/', 'get')?.security).toBeUndefined();
});

test('an operation says which scope an API token needs for it, and every other one takes no API token', () => {
  const { securitySchemes } = document.components as { securitySchemes: Record<string, unknown> };
  expect(Object.keys(securitySchemes)).toEqual(['bearer', 'apiToken']);
  const withScope = Object.values(endpoints)
    .flatMap((noun) => Object.values(noun))
    .flatMap(({ path, method }) => {
      const { operationId, security = [] } = operation(path, method.toLowerCase()) as Operation;
      return security.flatMap((one) => ('apiToken' in (one as object) ? [[operationId, security]] : []));
    });
  const read = [{ bearer: [] }, { apiToken: ['deploys:read'] }];
  const run = [{ bearer: [] }, { apiToken: ['deploys:run'] }];
  expect(Object.fromEntries(withScope)).toEqual({
    'deploy.list': read,
    'deploy.one': read,
    'deploy.instances': read,
    'deploy.instance': read,
    'deploy.log': read,
    'deploy.trigger': run,
    'deploy.rollback': run,
    'deploy.publish': run,
    'deploy.cancel': run,
  });
});
