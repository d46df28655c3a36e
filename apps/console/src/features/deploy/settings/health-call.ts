import { type Deploy, HEALTH_DEADLINE, type HealthCall, inUnits, readDecimal } from '@cannery/contract';

/** The fields of the form, as text. */
export interface HealthDraft {
  readonly canister: string;
  /** Empty where a run makes no call. */
  readonly method: string;
  readonly argument: string;
  readonly expected: string;
  readonly deadline: string;
}

/** What the form shows of a deploy. */
export function healthDraft({ health_call: saved }: Deploy): HealthDraft {
  return {
    canister: saved?.canister ?? '',
    method: saved?.method ?? '',
    argument: saved?.argument ?? '',
    expected: saved?.expected ?? '',
    deadline: String(saved?.deadline ?? HEALTH_DEADLINE.usual),
  };
}

/** Whole seconds of a deadline; undefined for what is none. */
function readDeadline(text: string): number | undefined {
  const reading = readDecimal(text);
  const seconds = 'decimal' in reading ? inUnits(reading.decimal, 1n) : undefined;
  const fits = seconds !== undefined && seconds >= 1n && seconds <= BigInt(HEALTH_DEADLINE.most);
  return fits ? Number(seconds) : undefined;
}

/** What is wrong with a deadline. */
export function deadlineProblem(text: string): string | undefined {
  return readDeadline(text) === undefined ? `Between 1 and ${HEALTH_DEADLINE.most} seconds.` : undefined;
}

/** The call as it is saved; null without a method. */
export function givenHealthCall(draft: HealthDraft): HealthCall | null {
  const method = draft.method.trim();
  if (method === '') return null;
  return {
    canister: draft.canister.trim(),
    method,
    argument: draft.argument.trim(),
    expected: draft.expected.trim(),
    deadline: readDeadline(draft.deadline) ?? Number.NaN,
  };
}
