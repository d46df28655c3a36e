import {
  accountEndpoints,
  apiTokenEndpoints,
  balanceEndpoints,
  canisterCallEndpoints,
  canisterDetailEndpoints,
  canisterEndpoints,
  deployEndpoints,
  deployHookEndpoints,
  documentEndpoints,
  firstStepEndpoints,
  githubEndpoints,
  inspectionEndpoints,
  liveEndpoints,
  marketplaceEndpoints,
  planEndpoints,
  productEndpoints,
  registryEndpoints,
  repositoryEndpoints,
  runEndpoints,
  sessionEndpoints,
  settingsEndpoints,
  userEndpoints,
} from '@cannery/contract';

/** Of the API and its OpenAPI document; what it promises is in docs/api-versions.md. */
export const VERSION = '1.0.0';

/** All calls of the API by their nouns, as its OpenAPI document has them. */
export const apiEndpoints = {
  session: sessionEndpoints,
  apiToken: apiTokenEndpoints,
  user: userEndpoints,
  account: accountEndpoints,
  firstStep: firstStepEndpoints,
  canister: {
    ...canisterEndpoints,
    ...canisterDetailEndpoints,
    ...canisterCallEndpoints,
    ...balanceEndpoints,
    ...inspectionEndpoints,
  },
  document: documentEndpoints,
  registry: registryEndpoints,
  marketplace: marketplaceEndpoints,
  product: productEndpoints,
  repository: repositoryEndpoints,
  github: githubEndpoints,
  deploy: { ...deployEndpoints, ...runEndpoints },
  plan: planEndpoints,
  deployHook: deployHookEndpoints,
  live: liveEndpoints,
  settings: settingsEndpoints,
} as const;
