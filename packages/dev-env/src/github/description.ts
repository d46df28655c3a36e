import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A schema, or a reference to one, of GitHub's own description. */
type Schema = { readonly [key: string]: unknown };

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } };
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly requestBody: Content }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

/** Made by scripts/trim-github-description.ts. */
const file = fileURLToPath(new URL('../../github/description.json', import.meta.url));
const description = JSON.parse(readFileSync(file, 'utf8')) as Description;

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: 'github', components: description.components });
const compiled = new Map<string, ValidateFunction>();

/** References lead into the one document. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' ? `github${String(inner)}` : absolute(inner),
    ]),
  );
}

/** What breaks a schema, in words; empty when nothing does. */
function faultsIn(schema: Schema, value: unknown): string[] {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(absolute(schema) as Schema);
  compiled.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, 5).map((one) => `${one.instancePath} ${one.message}`);
}

/** What a reference leads to. */
function resolved<T>(value: T | { readonly $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
  const [, , kind = '', name = ''] = String(value.$ref).split('/');
  return description.components[kind]?.[name] as T;
}

/** A call that the description knows. */
export interface KnownCall {
  /** As the description writes it: `/repos/{owner}/{repo}`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** What is wrong with the request. */
  faults(query: URLSearchParams, body: unknown): string[];
  /** What is wrong with an answer. */
  answerFaults(status: number, body: unknown): string[];
}

function schemaOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json']?.schema;
}

/** The call of a method and path; undefined when GitHub has none, or this product was not known to make it. */
export function knownCall(method: string, pathname: string): KnownCall | undefined {
  for (const [path, operations] of Object.entries(description.paths)) {
    const operation = operations[method.toLowerCase()];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const found = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname);
    if (operation === undefined || found === null) continue;
    const values = names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]);
    const parameters = Object.fromEntries(values) as Record<string, string>;
    const declared = (operation.parameters ?? []).map((one) => resolved<Parameter>(one));
    return {
      path,
      parameters,
      faults(query, body) {
        const unknown = [...query.keys()].filter((key) => !declared.some(({ name }) => name === key));
        const wrong = declared.flatMap((one) => {
          const text = one.in === 'path' ? parameters[one.name] : (query.get(one.name) ?? undefined);
          if (text === undefined) return one.required ? [`${one.name} is missing`] : [];
          const value = one.schema['type'] === 'integer' ? Number(text) : text;
          return faultsIn(one.schema, value).map((fault) => `${one.name}${fault}`);
        });
        const schema = schemaOf(operation.requestBody);
        const bodyFaults = schema === undefined || body === undefined ? [] : faultsIn(schema, body);
        return [...unknown.map((key) => `${key} is no parameter`), ...wrong, ...bodyFaults];
      },
      answerFaults(status, body) {
        const answer = operation.responses[String(status)];
        if (answer === undefined && status < 400) return [`${status} is no answer of this call`];
        const schema =
          answer === undefined
            ? { $ref: '#/components/schemas/basic-error' }
            : schemaOf(resolved<Content>(answer));
        return schema === undefined ? [] : faultsIn(schema, body);
      },
    };
  }
  return undefined;
}

/** What is wrong with an event. @param name such as 'push' or 'installation-deleted' */
export function eventFaults(name: string, event: unknown): string[] {
  const schema = schemaOf(description.webhooks[name]?.requestBody);
  return schema === undefined ? [`${name} is no event`] : faultsIn(schema, event);
}

/** A value that fits a schema, with what it requires and nothing else. */
function sampleOf(given: Schema, depth = 0): unknown {
  const schema = resolved<Schema>(given as { readonly $ref: string });
  const choices = schema['enum'] ?? schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (Array.isArray(choices)) {
    const plain = (choices as Schema[]).find((one) => one['type'] !== 'null') ?? {};
    return depth > 4 ? null : sampleOf(plain, depth + 1);
  }
  if (Array.isArray(schema['allOf'])) {
    return Object.assign({}, ...(schema['allOf'] as Schema[]).map((one) => sampleOf(one, depth + 1)));
  }
  const types = [schema['type']].flat();
  if (types.includes('null') && depth > 0) return null;
  const type = types.find((one) => one !== 'null');
  if (type === 'string') return 'https://github.example/sample';
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.fromEntries(required.map((key) => [key, sampleOf(properties[key] ?? {}, depth + 1)]));
}

/** A sample of a schema of the description, with other values. */
export function described(name: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const sample = sampleOf({ $ref: `#/components/schemas/${name}` }) as Record<string, unknown>;
  return { ...sample, ...values };
}

/** A sample event, with other values. */
export function describedEvent(
  name: string,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const schema = schemaOf(description.webhooks[name]?.requestBody) ?? {};
  return { ...(sampleOf(schema) as Record<string, unknown>), ...values };
}
