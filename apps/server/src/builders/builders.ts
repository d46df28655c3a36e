import type { DeployType } from '@cannery/contract';
import type { Builder } from './builder.ts';
import { buildCustom, buildMotoko } from './project-build.ts';
import { buildStaticSite } from './static-site.ts';

/** The deploy types; a new one is a row here. */
export const builders: Readonly<Record<DeployType, Builder>> = {
  STATIC_SITE: buildStaticSite,
  MOTOKO: buildMotoko,
  CUSTOM: buildCustom,
};
