// `npm run api:record`: keeps the OpenAPI document of the version that is released now, which later ones are held against.
import { existsSync, writeFileSync } from 'node:fs';
import { VERSION } from '../../src/api-endpoints.ts';
import { currentApi, recordedPath } from './recorded-api.ts';

const path = recordedPath(VERSION);
if (existsSync(path)) {
  process.stderr.write(`${path} is there: what a released version has promised does not change.\n`);
  process.exitCode = 1;
} else {
  writeFileSync(path, `${JSON.stringify(currentApi(), undefined, 2)}\n`);
  process.stdout.write(`${path}\n`);
}
