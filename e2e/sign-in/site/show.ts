import { Actor, type ActorMethod, type HttpAgent } from '@icp-sdk/core/agent';
import type { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';

interface Whoami {
  whoami: ActorMethod<[], Principal>;
  asked_by: ActorMethod<[], Principal>;
}

const whoamiInterface: IDL.InterfaceFactory = ({ IDL: idl }) =>
  idl.Service({
    whoami: idl.Func([], [idl.Principal], []),
    asked_by: idl.Func([], [idl.Principal], ['query']),
  });

/** How the test tells the site what to do. */
export const settings = new URLSearchParams(location.search);

/** Shows whom the backend sees, in an update and in a query. */
export async function showCaller(agent: HttpAgent): Promise<void> {
  const backend = Actor.createActor<Whoami>(whoamiInterface, {
    agent,
    canisterId: settings.get('backend') ?? '',
  });
  const [updated, queried] = [await backend.whoami(), await backend.asked_by()];
  show(updated.toText() === queried.toText() ? `Backend sees ${updated.toText()}` : 'The backend sees two.');
}

export function show(text: string): void {
  document.querySelector('output')?.replaceChildren(text);
}

/** Runs `signIn` when the button is clicked, and says how it ended. */
export function onClick(signIn: () => Promise<void>): void {
  document.querySelector('button')?.addEventListener('click', () => {
    show('Signing in');
    signIn().catch((error: unknown) => show(`Failed: ${error instanceof Error ? error.message : error}`));
  });
}
