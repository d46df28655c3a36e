import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { paths } from '../../../config/paths.ts';
import { useCanisterLocked } from '../../../features/canister/api/mutations.ts';
import { canisterQuery } from '../../../features/canister/api/queries.ts';
import { useToggleRunning } from '../../../features/canister/actions/use-toggle-running.ts';
import { deployQuery, instancesQuery } from '../../../features/deploy/api/queries.ts';
import { useStartRun } from '../../../features/deploy/run/use-start-run.ts';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { openThing } from '../open-thing.ts';
import type { PaletteEntry } from './entries.ts';
import { canisterEntries, deployEntries } from './open-entries.ts';
import type { Doer } from './deeds.ts';

/** What can be done while the canister is being changed: to look. */
const LOOKS: readonly string[] = ['open:site', 'open:candid', 'open:logs', 'open:settings'];

/** What can be done with the canister or deploy that is open; its page knows it, so nothing is asked for here. */
export function useOpenEntries(doer: Doer): readonly PaletteEntry[] {
  const open = openThing(useLocation().pathname);
  const navigate = useNavigate();
  const config = usePublicConfig();
  const id = open?.id ?? '';
  const canister = useQuery({ ...canisterQuery(id), enabled: false }).data;
  const locked = useCanisterLocked(id);
  const { toggle } = useToggleRunning(id);
  const deploy = useQuery({ ...deployQuery(id), enabled: false }).data;
  const runs = useQuery({ ...instancesQuery(id), enabled: false }).data;
  const show = useCallback(() => void navigate({ to: paths.deploy, params: { id } }), [navigate, id]);
  const { start } = useStartRun(id, show);
  const kind = open?.kind;
  return useMemo(() => {
    if (kind === 'canister' && canister !== undefined) {
      const all = canisterEntries(canister, config, { ...doer, toggle });
      return locked ? all.filter((entry) => LOOKS.includes(entry.id)) : all;
    }
    if (kind === 'deploy' && deploy !== undefined) {
      return deployEntries(deploy, runs ?? [], config, { ...doer, start });
    }
    return [];
  }, [kind, canister, deploy, runs, config, locked, doer, toggle, start]);
}
