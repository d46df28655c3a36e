import { createContext } from 'react';
import type { ArgumentDraft, OpenArguments } from './argument-draft.ts';

/** Loads the inputs of Candid values, which are large and needed only once a module asks for arguments. */
export type LoadArguments = () => Promise<OpenArguments>;

/** Set by the application, which alone knows both this feature and the Candid inputs. */
export const ArgumentsContext = createContext<LoadArguments | undefined>(undefined);

/** The inputs for the install arguments of a Candid text; undefined when their code did not load or cannot read it. */
export async function openDraft(
  load: LoadArguments | undefined,
  candid: string | null | undefined,
): Promise<ArgumentDraft | undefined> {
  if (load === undefined || candid == null) return undefined;
  const open = await load().catch(() => undefined);
  return open?.(candid);
}
