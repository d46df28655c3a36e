import { AuthClient } from '@icp-sdk/auth/client';
import { HttpAgent } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { onClick, settings, show, showCaller } from './show.ts';

const derivationOrigin = settings.get('derivation');
const targets = settings.get('target');
const client = new AuthClient({
  identityProvider: settings.get('provider') ?? '',
  ...(derivationOrigin !== null && { derivationOrigin }),
});

onClick(async () => {
  const identity = await client.signIn({
    maxTimeToLive: 3_600_000_000_000n,
    ...(targets !== null && { targets: [Principal.fromText(targets)] }),
  });
  show(`Signed in as ${identity.getPrincipal().toText()}`);
  await showCaller(await HttpAgent.create({ host: location.origin, identity, shouldFetchRootKey: true }));
});
