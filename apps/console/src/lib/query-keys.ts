/** Keys of the cached answers; features share them, so that one can mark another's answers as outdated. */
export const queryKeys = {
  config: ['config'],
  insights: ['insights'],
  transactions: ['transactions'],
  canisters: ['canisters'],
  canister: (id: string) => ['canister', id],
  statusLogs: (id: string) => ['status-logs', id],
  canisterDetails: (id: string) => ['canister-details', id],
  canisterBalances: (id: string, range?: string) =>
    range === undefined ? ['canister-balances', id] : ['canister-balances', id, range],
  canisterLogs: (id: string, search: string) => ['canister-logs', id, search],
  canisterHistory: (id: string) => ['canister-history', id],
  snapshots: (id: string) => ['snapshots', id],
  deploys: ['deploys'],
  deploy: (id: string) => ['deploy', id],
  instances: (id: string) => ['deploy', id, 'instances'],
  instance: (id: string, instanceId: string) => ['deploy', id, 'instances', instanceId],
  repositories: ['repositories'],
  branches: (owner: string, name: string, isPublic: boolean) => ['branches', owner, name, isPublic],
  templates: ['templates'],
  gitTokens: ['git-tokens'],
} as const;
