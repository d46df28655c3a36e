import { useQueryClient } from '@tanstack/react-query';
import { use, useEffect, useRef, useState } from 'react';
import type { ArgumentDraft } from '../../../lib/shared/argument-draft.ts';
import { ArgumentsContext, openDraft } from '../../../lib/shared/arguments-context.ts';
import { interfaceQuery, versionsQuery } from '../api/queries.ts';

/** The inputs for what an installation of a dapp's newest version takes; undefined for a module that does not say it. */
export function useDappArguments(id: string) {
  const client = useQueryClient();
  const load = use(ArgumentsContext);
  const [draft, setDraft] = useState<ArgumentDraft>();
  const loading = useRef<Promise<ArgumentDraft | undefined>>(undefined);

  useEffect(() => {
    let isOpen = true;
    const read = async (): Promise<ArgumentDraft | undefined> => {
      const [newest] = await client.ensureQueryData(versionsQuery(id));
      if (newest === undefined) return undefined;
      const { init_args: args } = await client.ensureQueryData(interfaceQuery(newest.id));
      const opened = await openDraft(load, args);
      if (isOpen && opened !== undefined && opened.count > 0) setDraft(opened);
      return opened;
    };
    // A service without these calls has dapps that take nothing, as far as can be told.
    loading.current = read().catch(() => undefined);
    return () => {
      isOpen = false;
    };
  }, [client, id, load]);

  /** What was entered, in hex; `wrong` when there is something to correct or to enter first. */
  const read = async (): Promise<{ hex: string | undefined } | 'wrong'> => {
    const known = draft ?? (await loading.current);
    if (known === undefined || known.count === 0) return { hex: undefined };
    if (draft === undefined) return 'wrong';
    const entered = draft.read();
    if (entered.ok) return { hex: entered.hex };
    setDraft(entered.draft);
    return 'wrong';
  };

  return { draft, setDraft, read };
}
