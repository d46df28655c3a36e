import type { DeployType } from '@cannery/contract';
import type { Builder } from './builder.ts';
import { buildMotoko } from './motoko-canister.ts';
import { buildStaticSite } from './static-site.ts';
import { BuildError } from './step-runner.ts';

/** The deploy types; a new one is a row here. */
export const builders: Readonly<Record<DeployType, Builder>> = {
  STATIC_SITE: buildStaticSite,
  MOTOKO: buildMotoko,
  CUSTOM: async () => {
    throw new BuildError(
      'Deploys of type CUSTOM cannot be built yet. Deploy the website as STATIC_SITE and each canister as MOTOKO.',
    );
  },
};
