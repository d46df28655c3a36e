import type { DeployType } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { userTenant } from '../../fairness/callers.ts';
import type { GitHub } from '../../github/github-client.ts';
import { newSecret } from '../../secrets.ts';
import { bindInstallations, installationsOf, keepAttempt, takeAttempt } from './connection-store.ts';

/** Characters of a state that is looked at; ours are near 150. */
const STATE_LIMIT = 1_000;

/** @throws AppError not_found where the operator has no GitHub App */
function requireGitHub(ctx: AppContext): GitHub {
  if (ctx.github === undefined) throw notFound('GitHub App');
  return ctx.github;
}

/**
 * Begins the connection of an account, and answers the page of GitHub where it goes on. What the state says of user and
 * deploy is for people; only its random part is believed when it comes back.
 * @param begun.way to install the app, or to show installations that there are already
 */
export async function beginConnection(
  ctx: AppContext,
  user: Actor,
  begun: { token: string; deployType: DeployType; way: 'install' | 'authorize' },
): Promise<{ address: string }> {
  const github = requireGitHub(ctx);
  const secret = newSecret();
  await ctx.transact((tx) => keepAttempt(tx, { ...begun, secret }));
  const state = JSON.stringify({ user_id: user.id, deploy_type: begun.deployType, secret });
  return {
    address: begun.way === 'install' ? github.installAddress(state) : github.authorizeAddress(state),
  };
}

/** The random part of a state; undefined in one that we did not make. */
function secretOf(state: string): string | undefined {
  if (state.length > STATE_LIMIT) return undefined;
  try {
    const { secret } = JSON.parse(state) as { secret?: unknown };
    return typeof secret === 'string' && /^[\w-]{43}$/.test(secret) ? secret : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Ends the connection that this session began: what GitHub lists for the person behind the code is bound to the user,
 * and nothing else. An installation that the address names but GitHub does not list for that person is refused.
 * @throws AppError git_connection_failed, after which nothing has changed
 */
export async function finishConnection(
  ctx: AppContext,
  user: Actor,
  came: { token: string; code: string; state: string; installationId: number | undefined },
): Promise<{ accounts: string[]; deploy_type: DeployType }> {
  const github = requireGitHub(ctx);
  const secret = secretOf(came.state);
  const attempt =
    secret === undefined
      ? undefined
      : await ctx.transact((tx) => takeAttempt(tx, { secret, token: came.token }));
  if (attempt === undefined) {
    throw new AppError(
      'git_connection_failed',
      'This connection was not started in this session, took too long, or has been used already.',
    );
  }
  const visitor = await github.turns.take(userTenant(user.id), () => github.visitorOf(came.code));
  const { installationId } = came;
  if (installationId !== undefined && !visitor.installations.some(({ id }) => id === installationId)) {
    throw new AppError(
      'git_connection_failed',
      `GitHub does not list this installation for ${visitor.login}, or it is suspended.`,
    );
  }
  if (visitor.installations.length === 0) {
    throw new AppError(
      'git_connection_failed',
      `The GitHub App is installed in no account of ${visitor.login}.`,
    );
  }
  await ctx.transact((tx) => bindInstallations(tx, user.id, visitor));
  const accounts = (await installationsOf(ctx.db, user.id)).map((row) => row.account_login);
  return { accounts, deploy_type: attempt.deployType };
}
