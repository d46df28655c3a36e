import { apiTokenDays } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/ui/action-dialog.tsx';
import { Select } from '../../components/ui/select.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { deploysQuery } from '../../lib/shared/deploys.ts';
import { serverText } from '../../lib/api/api-error.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { type NewApiToken, type Permission, permissions, type useCreateApiToken } from './api-tokens.ts';

const ALL = 'all';
const NEVER = 'never';
const LONGEST_LABEL = 100;
const expiries = [
  ...apiTokenDays.map((days) => ({ value: String(days), label: `After ${days} days` })),
  { value: NEVER, label: 'Never' },
];

interface Draft {
  readonly label: string;
  readonly permission: Permission;
  readonly expiry: string;
  readonly deploy: string;
}
const empty: Draft = { label: '', permission: 'both', expiry: '90', deploy: ALL };

function bodyOf({ label, permission, expiry, deploy }: Draft): NewApiToken {
  return {
    label: label.trim(),
    scopes: [...(permissions.find(({ value }) => value === permission)?.scopes ?? [])],
    expires_in_days: apiTokenDays.find((days) => String(days) === expiry) ?? null,
    deploy_ids: deploy === ALL ? null : [deploy],
  };
}

interface CreateApiTokenDialogProps {
  readonly create: ReturnType<typeof useCreateApiToken>;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks what a new API token is called, what it may do, and for how long. */
export function CreateApiTokenDialog({ create, open, onClose }: CreateApiTokenDialogProps) {
  const [draft, setDraft] = useState(empty);
  const { data: deploys = [] } = useQuery({ ...deploysQuery, enabled: open });
  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const isReady = draft.label.trim() !== '';
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title="Create an API token"
      description="A program that has the token starts and reads deploys in your name, and nothing else."
      action="Create token"
      busy={create.isPending}
      disabled={!isReady}
      onAction={() => {
        if (!isReady || create.isPending) return;
        create.mutate(bodyOf(draft), {
          onSuccess: () => {
            setDraft(empty);
            onClose();
          },
          onError: (failure) => toast.tell('token: not created', { text: serverText(failure) }),
        });
      }}
    >
      <TextField
        label="Token name"
        hint="For example the place where the program runs"
        maxLength={LONGEST_LABEL}
        value={draft.label}
        onChange={(event) => set({ label: event.target.value })}
      />
      <Select<Permission>
        label="It may"
        options={permissions}
        value={draft.permission}
        onChange={(permission) => set({ permission })}
      />
      <Select
        label="Deploys"
        options={[
          { value: ALL, label: 'All deploys' },
          ...deploys.map(({ id, name }) => ({ value: id, label: name || id })),
        ]}
        value={draft.deploy}
        onChange={(deploy) => set({ deploy })}
      />
      <Select
        label="Expires"
        options={expiries}
        value={draft.expiry}
        onChange={(expiry) => set({ expiry })}
      />
    </ActionDialog>
  );
}
