import { createContext, type ReactNode } from 'react';

/** What has been entered so far for the install arguments of a module. Every change gives a new draft. */
export interface ArgumentDraft {
  /** How many arguments the module takes. */
  readonly count: number;
  /** The inputs. */
  readonly render: (onChange: (next: ArgumentDraft) => void) => ReactNode;
  /** The arguments encoded, or the draft with its mistakes marked. */
  readonly read: () =>
    | { readonly ok: true; readonly hex: string }
    | { readonly ok: false; readonly draft: ArgumentDraft };
}

/** Opens the inputs for the init arguments of a Candid text; undefined when the text cannot be read. */
type OpenArguments = (candid: string) => ArgumentDraft | undefined;

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
