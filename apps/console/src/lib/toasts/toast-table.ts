/** Milliseconds that a toast stays, by where it belongs (NAV-29, NAV-30, OP-13). */
export const staysMs = {
  elsewhere: 4_000,
  canister: 2_000,
  deploy: 2_000,
  install: 3_000,
  drawer: 3_000,
} as const;

export type ToastKind = 'success' | 'error';

interface ToastRow {
  readonly kind: ToastKind;
  readonly stays: keyof typeof staysMs;
  /** What it says; null where whoever raises it does, such as the text of the service. */
  readonly text: string | null;
}

const row = <Text extends string | null>(
  kind: ToastKind,
  stays: keyof typeof staysMs,
  text: Text,
): ToastRow & { readonly text: Text } => ({ kind, stays, text });
const done = <Text extends string | null>(stays: keyof typeof staysMs, text: Text) =>
  row('success', stays, text);
const failed = <Text extends string | null>(stays: keyof typeof staysMs, text: Text) =>
  row('error', stays, text);

/** Every toast there is. The actions on a canister are told on its page and, for longer, in the drawer of the card grid. */
export const toastTable = {
  'palette: copied': done('elsewhere', null),
  'canister: created': done('canister', 'Canister created!'),
  'canister: not created': failed('canister', null),
  'canister: started': done('canister', 'Canister started'),
  'canister: stopped': done('canister', 'Canister stopped'),
  'canister: not started or stopped': failed('canister', null),
  'canister: cycles added': done('canister', 'Cycles Added'),
  'canister: cycles not added': failed('canister', null),
  'canister: deleted': done('canister', 'Canister deleted'),
  'canister: left the list': done('canister', 'Canister left the list'),
  'canister: not deleted': failed('canister', null),
  'canister: settings saved': done('canister', 'Settings saved'),
  'canister: renamed': done('canister', 'Canister renamed'),
  'canister: not renamed': failed('canister', null),
  'canister: tags saved': done('canister', 'Tags saved'),
  'canister: tags not saved': failed('canister', null),
  'canisters: all done': done('canister', null),
  'canisters: not all done': failed('canister', null),
  'canister: not refreshed': failed('canister', null),
  'canister: older logs not loaded': failed('canister', null),
  'canister: not loaded': failed('canister', 'Error while fetching canister details'),
  'canisters: not loaded': failed('canister', null),
  'drawer: created': done('drawer', 'Canister Created!'),
  'drawer: not created': failed('drawer', null),
  'drawer: started': done('drawer', 'Canister started'),
  'drawer: stopped': done('drawer', 'Canister stopped'),
  'drawer: not started or stopped': failed('drawer', null),
  'drawer: cycles added': done('drawer', 'Cycles Added'),
  'drawer: cycles not added': failed('drawer', null),
  'drawer: deleted': done('drawer', 'Canister deleted'),
  'drawer: left the list': done('drawer', 'Canister left the list'),
  'drawer: not deleted': failed('drawer', null),
  'module: installed': done('install', 'Installed!'),
  'module: not installed': failed('install', null),
  'dapp: installed': done('install', 'Installed'),
  'dapp: not installed': failed('install', 'Something went wrong'),
  'dapp: upgraded': done('install', null),
  'dapp: went back': done('install', null),
  'snapshot: done': done('install', null),
  'snapshot: not done': failed('install', null),
  'deploy: started': done('deploy', 'Deployment Started!'),
  'deploy: not started': failed('deploy', 'Failed! Could not trigger deploy'),
  'deploy: not published': failed('deploy', null),
  'deploy: finished': done('deploy', 'Deployment Successful!'),
  'deploy: rollback started': done('deploy', 'The rollback has started.'),
  'deploy: rollback not started': failed('deploy', null),
  'deploy: rollback being undone': done('deploy', 'The rollback is being undone.'),
  'deploy: rollback not undone': failed('deploy', null),
  'deploy: link copied': done('deploy', 'Copied'),
  'deploy: run being cancelled': done('deploy', 'The run is being cancelled.'),
  'deploy: run not cancelled': failed('deploy', null),
  'deploy: not created': failed('deploy', null),
  'deploy: deleted': done('deploy', 'DApp deleted'),
  'deploy: settings saved': done('deploy', 'Updated successfully.'),
  'deploy: settings not saved': failed('deploy', null),
  'deploy: not loaded': failed('deploy', 'Error while fetching deploy details'),
  'deploy: module copied': done('deploy', 'Copied'),
  'deploy: module in the registries': done('deploy', 'Added to the registries'),
  'deploy: hook not changed': failed('deploy', null),
  'dapp: deleted': done('elsewhere', 'DApp deleted'),
  'dapp: samples not offered': failed('elsewhere', null),
  'registry: deleted': done('elsewhere', 'Registry deleted'),
  'registry: not deleted': failed('elsewhere', null),
  'repository: renamed': done('elsewhere', 'Repository renamed'),
  'repository: deleted': done('elsewhere', 'Repository deleted'),
  'repository: default branch saved': done('elsewhere', 'Default branch saved'),
  'repository: default branch not saved': failed('elsewhere', null),
  'repository: file copied': done('elsewhere', 'Copied'),
  'token: not created': failed('elsewhere', null),
  'token: not deleted': failed('elsewhere', null),
  'session: ended': done('elsewhere', 'Session ended'),
  'session: not ended': failed('elsewhere', null),
  'session: none ended': failed('elsewhere', null),
  'github: connected': done('elsewhere', null),
  'product: created': done('elsewhere', 'Product created'),
  'product: saved': done('elsewhere', 'Product saved'),
  'product: not saved': failed('elsewhere', null),
  'product: deleted': done('elsewhere', null),
  'product: not deleted': failed('elsewhere', null),
} as const satisfies Readonly<Record<string, ToastRow>>;

export type ToastName = keyof typeof toastTable;

/** Which of the two places tells of an action on a canister. */
export type ToastPlace = 'canister' | 'drawer';

/** What whoever raises a toast adds: a text exactly where the table leaves it open. */
export type Said<Name extends ToastName> = ((typeof toastTable)[Name]['text'] extends string
  ? { readonly text?: never }
  : { readonly text: string }) & {
  /** What to do next, in small type. */
  readonly hint?: string | undefined;
};

/** Milliseconds that a toast stays. */
export function stayOf(name: ToastName): number {
  return staysMs[toastTable[name].stays];
}
