import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { paths } from '../../config/paths.ts';
import { useAccountRefresh } from '../../features/account/use-account-refresh.ts';
import { canisterQuery } from '../../features/canister/api/queries.ts';
import {
  CreateCanisterDialog,
  createdCanister,
} from '../../features/canister/create/create-canister-dialog.tsx';
import { InstallDialog } from '../../features/canister/install/install-dialog.tsx';

interface InstallFileProps {
  readonly file: File;
  /** Called when no canister was created. */
  readonly onEnd: () => void;
}

/** Creates a canister and installs a module of this computer in it; ends on its page, where it can also be installed later. */
export function InstallFile({ file, onEnd }: InstallFileProps) {
  const navigate = useNavigate();
  const account = useAccountRefresh();
  const made = useRef(false);
  const [id, setId] = useState<string>();
  const { data: canister } = useQuery({ ...canisterQuery(id ?? ''), enabled: id !== undefined });

  if (id !== undefined) {
    if (canister === undefined) return null;
    return (
      <InstallDialog
        canister={canister}
        file={file}
        onClose={() => void navigate({ to: paths.canister, params: { id } })}
        onInstalled={account.balanceMoved}
      />
    );
  }
  return (
    <CreateCanisterDialog
      open
      file={file}
      presentation="grid"
      onOpenChange={() => {
        if (!made.current) onEnd();
      }}
      onCreated={() => {
        account.canisterCreated();
        const created = createdCanister.get();
        createdCanister.set(undefined);
        made.current = true;
        if (created === undefined) void navigate({ to: paths.canisters });
        else setId(created);
      }}
    />
  );
}
