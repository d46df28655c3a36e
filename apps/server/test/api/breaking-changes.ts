/** A schema of JSON, as the contract makes it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly [bound: string]: unknown;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** What of an OpenAPI document programs rely on. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, { readonly content: Content }>> };
}

/** Who reads a value: the service that of a request, the program that of an answer. */
type Direction = 'request' | 'answer';

const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;

/**
 * What a program that was written for one version of the API can no longer rely on in another, each in a sentence.
 * An answer may have more fields and more values of an enumeration than before: programs are told to expect that.
 */
export function breakingChanges(before: ApiDocument, now: ApiDocument): string[] {
  const found = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, old]) => {
      const call = `${method.toUpperCase()} ${path}`;
      const next = now.paths[path]?.[method];
      return next === undefined ? [`${call} is gone.`] : changesOfCall(call, old, next);
    }),
  );
  const refusals = Object.entries(before.components.responses).flatMap(([name, { content }]) =>
    changesOfContent(name, { before: content, now: now.components.responses[name]?.content ?? {} }, 'answer'),
  );
  return [...found, ...refusals];
}

function changesOfCall(call: string, old: Operation, now: Operation): string[] {
  const found: string[] = [];
  if (old.operationId !== now.operationId)
    found.push(`${call} is called ${now.operationId}, no longer ${old.operationId}.`);
  for (const scheme of ways(old))
    if (!ways(now).includes(scheme)) found.push(`${call} can no longer be made with: ${scheme}.`);
  for (const { name, in: place, schema, required } of old.parameters) {
    const next = now.parameters.find((one) => one.name === name && one.in === place);
    const where = `${call}, ${place} '${name}'`;
    if (next === undefined) found.push(`${where} is gone.`);
    else {
      if (next.required && !required) found.push(`${where} is now required.`);
      found.push(...changesOf(where, schema, next.schema, 'request'));
    }
  }
  for (const { name, in: place, required } of now.parameters) {
    const isNew = !old.parameters.some((one) => one.name === name && one.in === place);
    if (required && isNew) found.push(`${call}, ${place} '${name}' is new and required.`);
  }
  if (now.requestBody?.required === true && old.requestBody?.required !== true)
    found.push(`${call} now needs a body.`);
  if (old.requestBody !== undefined) {
    const contents = { before: old.requestBody.content, now: now.requestBody?.content ?? {} };
    found.push(...changesOfContent(`${call}, body`, contents, 'request'));
  }
  for (const [status, { content = {} }] of Object.entries(old.responses)) {
    const contents = { before: content, now: now.responses[status]?.content ?? {} };
    found.push(...changesOfContent(`${call}, answer ${status}`, contents, 'answer'));
  }
  return found;
}

/** The credentials that a call takes; a call that says nothing takes a session. */
function ways({ security }: Operation): string[] {
  if (security === undefined) return ['bearer'];
  if (security.length === 0) return ['nothing', 'bearer', 'apiToken'];
  return security.flatMap((one) => Object.keys(one));
}

function changesOfContent(
  where: string,
  content: { readonly before: Content; readonly now: Content },
  direction: Direction,
): string[] {
  return Object.entries(content.before).flatMap(([type, { schema }]) => {
    const next = content.now[type];
    return next === undefined
      ? [`${where} is no longer ${type}.`]
      : changesOf(where, schema, next.schema, direction);
  });
}

/** What a value may be, each with one type; a schema that is not divided is its only alternative. */
function alternatives(schema: Schema): readonly Schema[] {
  const { type, anyOf, oneOf } = schema;
  if (typeof type === 'object')
    return type.map((one) => (one === 'null' ? { type: one } : { ...schema, type: one }));
  return anyOf ?? oneOf ?? [schema];
}

/** What breaks where one schema takes the place of another. */
function changesOf(where: string, before: Schema, now: Schema, direction: Direction): string[] {
  // Of a request all that was let through must be; of an answer all that comes must have been possible.
  const [given, taken] = direction === 'request' ? [before, now] : [now, before];
  const [from, to] = [alternatives(given), alternatives(taken)];
  const compare = (one: Schema, other: Schema): string[] =>
    direction === 'request'
      ? changesOfOne(where, one, other, direction)
      : changesOfOne(where, other, one, direction);
  return from.flatMap((one) => {
    const problems = to.map((other) => compare(one, other));
    if (problems.some((list) => list.length === 0)) return [];
    const [only = []] = problems;
    if (to.length === 1 && from.length === 1) return only;
    const shown = JSON.stringify(one).slice(0, 120);
    return [`${where}: ${direction === 'request' ? 'no longer takes' : 'may now be'} ${shown}.`];
  });
}

const valuesOf = ({ const: one, enum: some }: Schema): readonly unknown[] | undefined =>
  some ?? (one === undefined ? undefined : [one]);

function changesOfOne(where: string, before: Schema, now: Schema, direction: Direction): string[] {
  const isRequest = direction === 'request';
  const isAny = (schema: Schema): boolean =>
    schema.type === undefined && valuesOf(schema) === undefined && alternatives(schema)[0] === schema;
  if (isAny(isRequest ? now : before)) return [];
  return [
    ...changesOfType(where, before, now, isRequest),
    ...(isRequest ? changesOfBounds(where, before, now) : []),
    ...(before.items === undefined || now.items === undefined
      ? []
      : changesOf(`${where}, items`, before.items, now.items, direction)),
    ...changesOfFields(where, before, now, direction),
  ];
}

function changesOfType(where: string, before: Schema, now: Schema, isRequest: boolean): string[] {
  const [from, to] = isRequest ? [before.type, now.type] : [now.type, before.type];
  const fits = from === to || (from === 'integer' && to === 'number');
  if (!fits) return [`${where} is ${String(now.type)}, no longer ${String(before.type)}.`];
  const [had, has] = [valuesOf(before), valuesOf(now)];
  if (isRequest && has !== undefined) {
    const gone = had === undefined ? ['other values'] : had.filter((value) => !has.includes(value));
    return gone.map((value) => `${where} no longer takes ${JSON.stringify(value)}.`);
  }
  // A value that never changes is what a program tells alternatives by.
  const isOther =
    before.const !== undefined && (has === undefined || has.some((value) => value !== before.const));
  return !isRequest && isOther ? [`${where} is no longer always ${JSON.stringify(before.const)}.`] : [];
}

function changesOfBounds(where: string, before: Schema, now: Schema): string[] {
  const narrower = (names: readonly string[], isNarrower: (old: number, next: number) => boolean): string[] =>
    names.flatMap((name) => {
      const [old, next] = [before[name], now[name]];
      if (typeof next !== 'number') return [];
      const isFree = typeof old !== 'number';
      return isFree || isNarrower(old, next) ? [`${where} has a narrower ${name}: ${next}.`] : [];
    });
  return [
    ...narrower(UPPER_BOUNDS, (old, next) => next < old),
    ...narrower(LOWER_BOUNDS, (old, next) => next > old),
    ...(now.pattern !== undefined && now.pattern !== before.pattern
      ? [`${where} has to match another pattern.`]
      : []),
  ];
}

function changesOfFields(where: string, before: Schema, now: Schema, direction: Direction): string[] {
  const found: string[] = [];
  const isRequired = ({ required = [] }: Schema, name: string): boolean => required.includes(name);
  for (const [name, old] of Object.entries(before.properties ?? {})) {
    const next = now.properties?.[name];
    const place = `${where}, '${name}'`;
    if (next === undefined) found.push(`${place} is gone.`);
    else {
      if (direction === 'answer' && isRequired(before, name) && !isRequired(now, name))
        found.push(`${place} may now be left out.`);
      found.push(...changesOf(place, old, next, direction));
    }
  }
  if (direction === 'request') {
    for (const name of now.required ?? [])
      if (!isRequired(before, name)) found.push(`${where}, '${name}' is now required.`);
  }
  const [had, has] = [before.additionalProperties, now.additionalProperties];
  if (typeof had === 'object')
    found.push(
      ...(typeof has === 'object'
        ? changesOf(`${where}, each field`, had, has, direction)
        : [`${where} no longer has fields of any name.`]),
    );
  return found;
}
