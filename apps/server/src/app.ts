import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { apiEndpoints, VERSION } from './api-endpoints.ts';
import { API_BASE, PRODUCT_NAME } from './config/config.ts';
import { internetIdentityOf } from './config/internet-identity.ts';
import type { AppContext } from './context.ts';
import { accountRoutes } from './features/account/routes.ts';
import { findCaller } from './features/api-token/find-caller.ts';
import { apiTokenRoutes } from './features/api-token/routes.ts';
import { canisterDetailRoutes } from './features/canister/detail-routes.ts';
import { canisterRoutes } from './features/canister/routes.ts';
import { addDeliveryRoute } from './features/deploy-hook/delivery-route.ts';
import { deployHookRoutes } from './features/deploy-hook/routes.ts';
import { addTakenPictureRoutes, canisterPictureRoutes } from './features/canister/pictures/picture-routes.ts';
import { addPictureRoutes } from './features/deploy/pictures/picture-routes.ts';
import { deployRoutes } from './features/deploy/routes.ts';
import { documentRoutes } from './features/document/routes.ts';
import { addGitHubHook } from './features/github-hook/hook-route.ts';
import { githubRoutes } from './features/github/routes.ts';
import { liveRoutes } from './features/live/routes.ts';
import { registryRoutes } from './features/registry/routes.ts';
import { addDappPictureRoutes } from './features/marketplace/dapp-picture.ts';
import { marketplaceRoutes } from './features/marketplace/routes.ts';
import { networkRoutes } from './features/network/routes.ts';
import { productRoutes } from './features/product/routes.ts';
import { repositoryRoutes } from './features/repository/routes.ts';
import { addEmbeddedSignIn } from './features/session/embedded-sign-in.ts';
import { internetIdentityRoutes } from './features/session/internet-identity-routes.ts';
import { sessionRoutes } from './features/session/routes.ts';
import { addSignInRoutes } from './features/session/sign-in-routes.ts';
import { gitProvider, publicConfigOf } from './features/settings/public-config.ts';
import { settingsRoutes } from './features/settings/routes.ts';
import { addAvatarRoutes } from './features/user/avatar-routes.ts';
import { userRoutes } from './features/user/routes.ts';
import type { EmbeddedGitHost } from './git/host/embedded-host.ts';
import type { DoorClient } from './git/remote/door-client.ts';
import { addApiDocs } from './http/api-docs.ts';
import { serveConsole } from './http/console/console-files.ts';
import { createHttpApp } from './http/create-app.ts';
import { openApiOf } from './http/openapi.ts';
import { registerRoutes } from './http/register-routes.ts';
import { consoleHosts } from './network/served-names.ts';
import type { EmbeddedProvider } from './identity/embedded-provider.ts';
import type { OidcClient } from './identity/oidc-client.ts';
import { addRepositories } from './serve-repositories.ts';

/** The description of the calls. @param sampleProducts whether those of the sample products are among them */
function openApiFor(sampleProducts: boolean): object {
  const { product, ...others } = apiEndpoints;
  return openApiOf(sampleProducts ? { ...others, product } : others, {
    title: `${PRODUCT_NAME} API`,
    version: VERSION,
    server: API_BASE,
  });
}

/** Everything the server answers, as one table of endpoints and what stands beside them. */
export async function createApp(
  ctx: AppContext,
  parts: {
    server: Server;
    consoleDir: string;
    signIn: { client: OidcClient; provider: EmbeddedProvider | undefined };
    workerUp: () => boolean;
    /** Where repositories are: in this process, or behind the door of git roles. */
    git: EmbeddedGitHost | DoorClient;
    /** What the operator should know about the machines that build; the same array as long as it is the same. */
    warnings: () => readonly string[];
  },
): Promise<FastifyInstance> {
  const { addresses, log, security } = ctx;
  const hosts = consoleHosts(ctx.config);
  const { apiUrl, consoleUrl } = ctx.config;
  const internetIdentity = internetIdentityOf(ctx.config, addresses);
  const app = await createHttpApp({
    server: parts.server,
    log,
    security,
    called: {
      network: addresses.networkUrl,
      api: apiUrl,
      opensWindows: internetIdentity !== undefined,
      httpsOnly: [addresses.publicUrl, addresses.networkUrl].every((url) => url.startsWith('https:')),
    },
    ...(consoleUrl !== undefined && {
      consoleElsewhere: { origin: new URL(consoleUrl).origin, below: API_BASE },
    }),
    callLimiter: ctx.callLimiter,
    trustProxy: ctx.config.trustProxy,
    servesHost: (header) => hosts.find(header) !== undefined,
  });
  const publicConfig = publicConfigOf(ctx, {
    internetIdentity,
    warnings: parts.warnings,
    gitProvider: gitProvider(addresses.publicUrl, ctx.config.gitProvider, {
      gitHubUrl: ctx.config.github?.url,
      consoleUrl,
    }),
  });

  await registerRoutes(app, {
    prefix: API_BASE,
    authenticate: (bearer) => findCaller(ctx, bearer),
    callLimiter: ctx.callLimiter,
    routes: [
      ...sessionRoutes(ctx),
      ...internetIdentityRoutes(ctx, internetIdentity),
      ...apiTokenRoutes(ctx),
      ...userRoutes(ctx),
      ...accountRoutes(ctx),
      ...canisterRoutes(ctx),
      ...canisterDetailRoutes(ctx),
      ...canisterPictureRoutes(ctx),
      ...documentRoutes(ctx),
      ...registryRoutes(ctx),
      ...marketplaceRoutes(ctx),
      ...(ctx.config.sampleProducts ? productRoutes(ctx) : []),
      ...repositoryRoutes(ctx),
      ...githubRoutes(ctx),
      ...deployRoutes(ctx),
      ...deployHookRoutes(ctx),
      ...liveRoutes(ctx),
      ...networkRoutes(ctx),
      ...settingsRoutes(ctx, { workerUp: parts.workerUp, publicConfig }),
    ],
  });
  let openApi: string | undefined;
  app.get(`${API_BASE}/openapi.json`, async (_request, reply) => {
    // Every start would wait for it, and hardly any has it asked for.
    openApi ??= JSON.stringify(openApiFor(ctx.config.sampleProducts));
    return reply.type('application/json; charset=utf-8').send(openApi);
  });
  addApiDocs(app, `${API_BASE}/openapi.json`);
  addAvatarRoutes(app, ctx);
  addPictureRoutes(app, ctx);
  addTakenPictureRoutes(app, ctx);
  addDappPictureRoutes(app, ctx);
  await addDeliveryRoute(app, ctx);
  addSignInRoutes(app, ctx, parts.signIn.client);
  const { provider } = parts.signIn;
  if (provider !== undefined) await addEmbeddedSignIn(app, ctx, { provider, consoleDir: parts.consoleDir });
  await addRepositories(app, ctx, parts.git);
  if (ctx.config.github !== undefined) await addGitHubHook(app, ctx, ctx.config.github);
  await serveConsole(app, { folder: parts.consoleDir, apiUrl, publicConfig });
  await app.ready();
  return app;
}
