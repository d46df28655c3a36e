import { fileURLToPath } from 'node:url';
import { apiEndpoints, VERSION } from '../../src/api-endpoints.ts';
import { openApiOf } from '../../src/http/openapi.ts';
import type { ApiDocument } from './breaking-changes.ts';

/** Where the document of a released version is kept. */
export function recordedPath(version: string): string {
  return fileURLToPath(new URL(`../../../../docs/api/openapi-${version}.json`, import.meta.url));
}

/** The document as the server answers it, with every call that a setting can switch off. */
export function currentApi(): ApiDocument {
  const document = openApiOf(apiEndpoints, { title: 'Cannery API', version: VERSION, server: '/api' });
  return JSON.parse(JSON.stringify(document)) as ApiDocument;
}
