import type { Account, IdentityService } from '../interface.ts';
import { checkDerivation, DerivationError } from './alternative-origins.ts';
import { connect, type Connection, grant, RefusedError } from './grant.ts';
import { forgetAccount, type KnownAccount, knownAccounts, rememberAccount } from './known-accounts.ts';
import { createPasskey, PasskeyError, usePasskey } from './passkey.ts';
import { type AskingSite, listenToSite } from './site.ts';
import {
  elements,
  offerNames,
  show,
  showAccounts,
  showAlone,
  showBusy,
  showProblem,
  showSite,
} from './view.ts';

/** An account that can be called as. */
interface Chosen {
  readonly known: KnownAccount;
  readonly account: Account;
  readonly service: IdentityService;
}

let asking: AskingSite | undefined;
let connection: Promise<Connection> | undefined;

/** The canister as anybody may call it; tried again where the network was not there. */
function anonymous(): Promise<Connection> {
  connection ??= connect().catch((error: unknown) => {
    connection = undefined;
    throw error;
  });
  return connection;
}

function told(error: unknown): string {
  const isOurs =
    error instanceof RefusedError || error instanceof PasskeyError || error instanceof DerivationError;
  return isOurs ? error.message : 'The network did not answer. See whether it runs, and try again.';
}

/** Signs in with what `choose` yields; what goes wrong is said, and the user may choose again. */
async function signIn(doing: string, choose: () => Promise<Chosen>): Promise<void> {
  const site = asking;
  if (!site) return;
  showProblem(undefined);
  showBusy(doing);
  try {
    const { known, account, service } = await choose();
    showBusy('Signing in ...');
    const origin = site.request.derivationOrigin ?? site.origin;
    const delegation = await grant(service, account, origin, site.request);
    rememberAccount(known);
    // The user may have gone away meanwhile.
    if (asking !== site) return;
    asking = undefined;
    site.grant(delegation);
    show('done');
  } catch (error) {
    showProblem(told(error));
  } finally {
    showBusy(undefined);
  }
}

async function byName(name: string): Promise<Chosen> {
  const { service } = await anonymous();
  return { known: { kind: 'name', name }, account: { name }, service };
}

function choose(known: KnownAccount): void {
  if (known.kind === 'name') return void signIn('Signing in ...', () => byName(known.name));
  void signIn('Waiting for your passkey ...', async () => {
    const { service } = await usePasskey(known.passkey, await anonymous());
    return { known, account: { key: null }, service };
  });
}

function showKnown(): void {
  showAccounts(knownAccounts(), choose, (account) => {
    forgetAccount(account);
    showKnown();
  });
}

const labelNow = (): string =>
  `Passkey of ${new Date().toLocaleDateString('en', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })}`;

elements.nameForm.addEventListener('submit', (event) => {
  event.preventDefault();
  const name = elements.name.value.trim().normalize();
  if (name === '') return showProblem('Write a name.');
  void signIn('Signing in ...', () => byName(name));
});

elements.usePasskey.addEventListener('click', () => {
  void signIn('Waiting for your passkey ...', async () => {
    const { passkey, service } = await usePasskey(undefined, await anonymous());
    return { known: { kind: 'passkey', label: labelNow(), passkey }, account: { key: null }, service };
  });
});

elements.createPasskey.addEventListener('click', () => {
  void signIn('Waiting for your passkey ...', async () => {
    const label = labelNow();
    const passkey = await createPasskey(label);
    // It signs at once: a passkey that cannot is none, and the canister keeps a key only for its owner.
    const { service } = await usePasskey(passkey, await anonymous());
    // Where the canister has no room for its key, this browser still knows it.
    await service.register_passkey({
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
    });
    return { known: { kind: 'passkey', label, passkey }, account: { key: null }, service };
  });
});

elements.cancel.addEventListener('click', () => {
  const site = asking;
  asking = undefined;
  site?.refuse('The user cancelled.', true);
  window.close();
});

async function ask(site: AskingSite): Promise<void> {
  try {
    if (site.request.derivationOrigin !== undefined) {
      await checkDerivation(site.request.derivationOrigin, site.origin);
    }
  } catch (error) {
    site.refuse(told(error), false);
    return;
  }
  asking = site;
  showKnown();
  offerNames();
  showSite(site);
}

const opener = window.opener as Window | null;
if (opener) {
  window.addEventListener('pagehide', () => asking?.refuse('The user closed the window.', true));
  listenToSite(opener, (site) => void ask(site));
} else {
  showAlone();
}
