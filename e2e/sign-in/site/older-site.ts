import { AuthClient } from '@dfinity/auth-client';
import { HttpAgent } from '@icp-sdk/core/agent';
import { onClick, settings, showCaller } from './show.ts';

const derivationOrigin = settings.get('derivation');
const client = await AuthClient.create();

onClick(async () => {
  await new Promise<void>((resolve, reject) => {
    void client.login({
      identityProvider: settings.get('provider') ?? '',
      ...(derivationOrigin !== null && { derivationOrigin }),
      onSuccess: () => resolve(),
      onError: (error) => reject(new Error(error)),
    });
  });
  // An identity is what it does: that of the older packages signs for agents of the newer ones.
  const identity = client.getIdentity() as unknown as NonNullable<
    Parameters<typeof HttpAgent.create>[0]
  >['identity'];
  await showCaller(
    await HttpAgent.create({
      host: location.origin,
      ...(identity && { identity }),
      shouldFetchRootKey: true,
    }),
  );
});
