import { type Deploy, HEALTH_DEADLINE, type HealthCall } from '@cannery/contract';

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

/** What is wrong with a deadline. */
export function deadlineProblem(text: string): string | undefined {
  const seconds = Number(text);
  const fits = /^\d+$/.test(text.trim()) && seconds >= 1 && seconds <= HEALTH_DEADLINE.most;
  return fits ? undefined : `Between 1 and ${HEALTH_DEADLINE.most} seconds.`;
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
    deadline: Number(draft.deadline),
  };
}
