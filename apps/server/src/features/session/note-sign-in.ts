import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { EventDetails } from '../../security-log/security-events.ts';

type Provider = NonNullable<EventDetails['provider']>;

/** A sign-in that was used, is too old, or was not begun in this browser: whoever ends it may have stolen what they send. */
export class ForeignSignInError extends AppError {
  constructor(message: string) {
    super('sign_in_failed', message);
  }
}

/** How users sign in who go to the identity provider. */
export function providerOf({ config }: Pick<AppContext, 'config'>): Provider {
  return config.identity.embedded ? 'embedded' : 'oidc';
}

/** Notes in the security log why a sign-in has not come to its end. What is refused for a rate is noted as that. */
export function noteSignInError(ctx: Pick<AppContext, 'security'>, provider: Provider, error: unknown): void {
  if (error instanceof AppError && error.code === 'rate_limited') return;
  const event = error instanceof ForeignSignInError ? 'sign_in_refused' : 'sign_in_failed';
  ctx.security.note(event, { provider });
}

/**
 * Does the last step of a sign-in, and notes in the security log how it ends.
 * @returns what the step does, with whose session has begun
 */
export async function notingSignIn<T extends { readonly userId: string }>(
  ctx: Pick<AppContext, 'security'>,
  provider: Provider,
  step: () => Promise<T>,
): Promise<T> {
  try {
    const done = await step();
    ctx.security.note('sign_in_completed', { provider, user: done.userId });
    return done;
  } catch (error) {
    noteSignInError(ctx, provider, error);
    throw error;
  }
}
