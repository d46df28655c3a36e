import { errorCodes } from '@cannery/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument, Operation } from './operations.ts';
import type { Answer } from './send.ts';
import type { Draft } from './draft.ts';

/** The statuses that the service refuses with; those of 5xx are findings. */
const REFUSALS: ReadonlySet<number> = new Set(
  Object.values(errorCodes)
    .map(({ status }) => status)
    .filter((status) => status < 500),
);
/** What an answer that tells of the inside has in it. */
const INSIDE = /node_modules|\.[cm]?[jt]s:\d+|\bat \w+ \(|\bselect .* from |ECONN|\/tmp\/|kysely|zod/i;
/** On every answer, by the name of the header. */
const ALWAYS: Readonly<Record<string, string | RegExp>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': /frame-ancestors 'none'/,
};

/** Holds answers against what the OpenAPI document says of them. */
export class AnswerCheck {
  readonly #answers: ReadonlyMap<string, ValidateFunction>;
  readonly #refusal: ValidateFunction;

  constructor(document: OpenApiDocument, operations: readonly Operation[]) {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
    this.#answers = new Map(operations.map(({ id, answer }) => [id, ajv.compile(answer)]));
    const content = document.components.responses.Error.content['application/json'];
    this.#refusal = ajv.compile(content?.schema ?? false);
  }

  /** What is wrong with an answer, in a sentence; undefined when it is as described. */
  problemOf(draft: Draft, answer: Answer): string | undefined {
    const { status, headers, text } = answer;
    if (status >= 500 || status < 200) return `status ${status}: ${text.slice(0, 300)}`;
    for (const [name, wanted] of Object.entries(ALWAYS)) {
      const given = headers[name];
      const isRight = typeof wanted === 'string' ? given === wanted : wanted.test(String(given));
      if (!isRight) return `status ${status} with ${name}: ${String(given)}`;
    }
    const asks = draft.operation;
    const type = String(headers['content-type'] ?? '');
    if (draft.method === 'HEAD') return text === '' ? undefined : 'an answer to HEAD with a body';
    if (status >= 400) return this.#problemOfRefusal(status, type, text);
    const isDescribed = draft.method === asks.method && sameForm(draft.path, asks.path);
    if (isDescribed) return this.#problemOfSuccess(asks, { status, type, text });
    // Another call, or a page: what it answers, its own requests hold against its schema.
    return status === 200 && /^(?:application\/json|text\/(?:html|event-stream))/.test(type)
      ? undefined
      : `status ${status}, ${type}: ${text.slice(0, 200)}`;
  }

  #problemOfRefusal(status: number, type: string, text: string): string | undefined {
    if (!REFUSALS.has(status)) return `status ${status}, which no refusal has: ${text.slice(0, 200)}`;
    if (type !== 'application/json; charset=utf-8') return `a refusal of type '${type}'`;
    const body = parsed(text);
    if (!this.#refusal(body)) return `a refusal off its schema: ${text.slice(0, 300)}`;
    const { error, message } = body as { error: string; message: string };
    if (error !== message) return `a refusal with two sentences: ${text.slice(0, 300)}`;
    return INSIDE.test(text) ? `a refusal that tells of the inside: ${text.slice(0, 300)}` : undefined;
  }

  #problemOfSuccess(
    asked: Operation,
    answer: { status: number; type: string; text: string },
  ): string | undefined {
    const { status, type, text } = answer;
    if (status !== 200) return `status ${status}, which is not described`;
    if (!type.startsWith(asked.answerType)) return `an answer of type '${type}', not ${asked.answerType}`;
    const fits = this.#answers.get(asked.id);
    if (fits === undefined) return 'an operation without a schema';
    for (const body of asked.answerType === 'text/event-stream' ? eventsOf(text) : [parsed(text)]) {
      if (fits(body)) continue;
      const [where] = fits.errors ?? [];
      return `an answer off its schema at '${where?.instancePath}' (${where?.message}): ${text.slice(0, 300)}`;
    }
    return undefined;
  }
}

/** Whether a path is one of the operation and not of another with as many parts, or a page. */
function sameForm(path: string, described: string): boolean {
  const parts = path.split('?', 1)[0]?.split('/') ?? [];
  const wanted = described.split('/');
  return (
    parts.length === wanted.length &&
    wanted.every((part, index) => {
      const given = parts[index] ?? '';
      return part.startsWith('{') ? /^[\w-]+$/.test(given) && !FIXED.has(given) : part === given;
    })
  );
}

/** Words that stand where another path has a mark. */
const FIXED: ReadonlySet<string> = new Set([
  'repos',
  'page',
  'instances',
  'samples',
  'detect',
  'plan',
  'first-steps',
]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The data of the events in a stream that was left in the middle. */
function eventsOf(text: string): unknown[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 2);
  return whole.split('\n\n').flatMap((event) => {
    const data = event.split('\n').filter((line) => line.startsWith('data:'));
    return data.length === 0 ? [] : [parsed(data.map((line) => line.slice(5).trimStart()).join('\n'))];
  });
}
