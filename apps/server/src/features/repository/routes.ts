import { repositoryEndpoints, type Template } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { type Route, route } from '../../http/route.ts';
import { listGitHubRepositories } from '../github/open-repository.ts';
import { readAccount, readContent } from './browse.ts';
import { deleteRepository, renameRepository, repositoryUses, setDefaultBranch } from './change-repository.ts';
import { branchesAt, findPlace } from './repository-place.ts';
import { templates } from './templates.ts';
import { createToken, listTokens, revokeToken } from './token-store.ts';

/** The user's repositories, starter templates and access tokens. */
export function repositoryRoutes(ctx: AppContext): Route[] {
  return [
    route(repositoryEndpoints.list, ({ user }) =>
      ctx.github === undefined ? ctx.git.listRepositories(user) : listGitHubRepositories(ctx, user),
    ),
    route(repositoryEndpoints.branches, async ({ user, body }) => {
      const place = await findPlace(ctx, user, { ...body, name: body.repo });
      const names = await branchesAt(ctx, user, place);
      return names.map((name) => ({ name }));
    }),
    route(repositoryEndpoints.templates, async () =>
      templates.map(({ folder: _folder, canisters: _canisters, ...shown }): Template => shown),
    ),
    route(repositoryEndpoints.addTemplate, ({ user, params }) => ctx.git.addTemplate(user, params.id)),
    route(repositoryEndpoints.tokens, ({ user }) => listTokens(ctx.db, user.id)),
    route(repositoryEndpoints.createToken, async ({ user, body }) => {
      const created = await ctx.transact((tx) =>
        createToken(tx, { userId: user.id, label: body.label.replaceAll('\0', ''), minutes: body.minutes }),
      );
      ctx.security.note('git_token_created', { token_id: created.id });
      return created;
    }),
    route(repositoryEndpoints.revokeToken, async ({ user, params }) => {
      await ctx.transact((tx) => revokeToken(tx, { userId: user.id, id: params.id }));
      ctx.security.note('git_token_deleted', { token_id: params.id });
      return { message: 'The access token is revoked.' };
    }),
    route(repositoryEndpoints.account, ({ user, query }) => readAccount(ctx, user, query)),
    route(repositoryEndpoints.code, ({ user, params, query }) => ctx.git.code({ ...params, ...query }, user)),
    route(repositoryEndpoints.uses, ({ user, params }) => repositoryUses(ctx, user, params)),
    route(repositoryEndpoints.rename, ({ user, params, body }) =>
      renameRepository(ctx, user, params, body.new_name),
    ),
    route(repositoryEndpoints.setDefaultBranch, ({ user, params, body }) =>
      setDefaultBranch(ctx, user, params, body.default_branch),
    ),
    route(repositoryEndpoints.remove, async ({ user, params }) => {
      await deleteRepository(ctx, user, params);
      return { message: 'The repository is deleted.' };
    }),
    route(repositoryEndpoints.content, ({ user, params, query }) =>
      readContent(ctx, user, { ...params, branch: query.branch }),
    ),
  ];
}
