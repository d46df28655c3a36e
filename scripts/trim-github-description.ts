// Takes the calls that this product makes out of GitHub's own OpenAPI description, for the pretend GitHub of the tests.
// The whole description is too large for the lock file, so it is fetched by hand when it is to be renewed:
//
//   npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz
//   node scripts/trim-github-description.ts package/generated/api.github.com.json
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const target = fileURLToPath(new URL('../packages/dev-env/github/description.json', import.meta.url));

/** The calls of `apps/server/src/github`. */
const calls: readonly (readonly [string, string])[] = [
  ['/app/installations/{installation_id}', 'get'],
  ['/app/installations/{installation_id}/access_tokens', 'post'],
  ['/applications/{client_id}/token', 'delete'],
  ['/installation/repositories', 'get'],
  ['/repos/{owner}/{repo}', 'get'],
  ['/repos/{owner}/{repo}/branches', 'get'],
  ['/repos/{owner}/{repo}/collaborators/{username}/permission', 'get'],
  ['/repos/{owner}/{repo}/statuses/{sha}', 'post'],
  ['/user', 'get'],
  ['/user/installations', 'get'],
  ['/user/installations/{installation_id}/repositories', 'get'],
];
/** The events that it takes. */
const events = [
  'github-app-authorization-revoked',
  'installation-deleted',
  'installation-suspend',
  'installation-target-renamed',
  'push',
];

/** What explains without deciding anything. */
const PROSE = new Set(['description', 'summary', 'example', 'examples', 'externalDocs', 'tags', 'title']);

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As JSON Schema says that a value may be null; OpenAPI 3.0 has its own word for it. */
function nullable(schema: JsonObject): JsonObject {
  const { nullable: isNullable, ...rest } = schema;
  if (isNullable !== true) return rest;
  if (typeof rest['type'] !== 'string') return { anyOf: [{ type: 'null' }, rest] };
  const choices = rest['enum'];
  const both = { ...rest, type: [rest['type'], 'null'] };
  return Array.isArray(choices) ? { ...both, enum: [...new Set([...choices, null])] } : both;
}

/** @param named whether the keys are names, such as those of properties, that may be called like prose */
function plain(value: Json, named = false): Json {
  if (Array.isArray(value)) return value.map((one) => plain(one));
  if (!isObject(value)) return value;
  const kept = Object.entries(value)
    .filter(([key]) => named || (!PROSE.has(key) && !key.startsWith('x-')))
    .map(([key, inner]) => [key, plain(inner, !named && (key === 'properties' || key === 'schemas'))]);
  const object = Object.fromEntries(kept) as JsonObject;
  return named ? object : nullable(object);
}

/** Everything that a value refers to, and what that refers to. */
function collect(value: Json, all: JsonObject, into: Map<string, Json>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, all, into);
  if (!isObject(value)) return;
  const reference = value['$ref'];
  if (typeof reference === 'string' && !into.has(reference)) {
    const found = reference
      .split('/')
      .slice(1)
      .reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), all);
    if (found === undefined) throw new Error(`${reference} leads nowhere.`);
    const kept = plain(found);
    into.set(reference, kept);
    collect(kept, all, into);
  }
  for (const one of Object.values(value)) collect(one, all, into);
}

function objectAt(value: Json | undefined, ...path: string[]): JsonObject {
  const found = path.reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), value);
  if (!isObject(found)) throw new Error(`The description has no ${path.join(' ')}.`);
  return found;
}

const [source = ''] = process.argv.slice(2);
const whole = JSON.parse(readFileSync(source, 'utf8')) as JsonObject;
const paths: JsonObject = {};
for (const [path, method] of calls) {
  paths[path] = { [method]: plain(objectAt(whole, 'paths', path, method)) };
}
const webhooks: JsonObject = {};
for (const event of events) webhooks[event] = plain(objectAt(whole, 'x-webhooks', event, 'post'));
const found = new Map<string, Json>();
collect([paths, webhooks], whole, found);
const components: JsonObject = {};
for (const [reference, value] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const [, , kind = '', name = ''] = reference.split('/');
  const group = components[kind];
  components[kind] = { ...(isObject(group) ? group : {}), [name]: value };
}
const version = objectAt(whole, 'info')['version'] ?? null;
writeFileSync(target, `${JSON.stringify({ version, paths, webhooks, components })}\n`);
