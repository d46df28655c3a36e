import type { ReactNode } from 'react';

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
export type OpenArguments = (candid: string) => ArgumentDraft | undefined;
