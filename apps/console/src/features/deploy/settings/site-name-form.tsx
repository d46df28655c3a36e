import { type Deploy, type PublicConfig, siteNameProblem, tidySiteName } from '@cannery/contract';
import { useState } from 'react';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { ApiError } from '../../../lib/api/api-error.ts';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { addressOfName } from '../api/site-address.ts';
import { useSaveSettings } from '../api/mutations.ts';
import { SettingsCard } from './settings-card.tsx';

/** The name by which a deploy's website is served; nothing where sites have no names, or the service does not know of them. */
export function SiteNameForm({ deploy }: { deploy: Deploy }) {
  const config = usePublicConfig();
  const pattern = config?.site_name_pattern ?? null;
  return pattern === null || deploy.type === 'MOTOKO' ? null : <NameForm deploy={deploy} pattern={pattern} />;
}

interface NameFormProps {
  readonly deploy: Deploy;
  readonly pattern: NonNullable<PublicConfig['site_name_pattern']>;
}

function NameForm({ deploy, pattern }: NameFormProps) {
  const save = useSaveSettings(deploy);
  const [typed, setTyped] = useState<string>();
  const saved = deploy.site_name ?? '';
  const name = tidySiteName(typed ?? saved);
  const isDirty = name !== saved;
  const problem = name === '' ? undefined : siteNameProblem(name);
  const { error, variables } = save;
  // What the service has said holds for the name that it was asked for.
  const refusal =
    error instanceof ApiError && error.status === 400 && variables?.site_name === name
      ? error.said
      : undefined;
  const address = name === '' || problem !== undefined ? undefined : addressOfName(pattern, name);

  return (
    <SettingsCard
      title="Address"
      about="The website is served at the ID of its canister, and at a name that you choose. A name that you give up stays reserved for you for 30 days."
      draft={typed}
      saysWhy={refusal !== undefined}
      isChanged={typed !== undefined}
      isDirty={isDirty}
      isValid={problem === undefined}
      isSaving={save.isPending}
      onUndo={() => setTyped(undefined)}
      onSave={() => save.mutateAsync({ site_name: name })}
    >
      <TextField
        label="Custom name"
        mono
        value={typed ?? saved}
        placeholder="my-site"
        spellCheck={false}
        autoCapitalize="none"
        error={(typed === undefined ? undefined : problem) ?? refusal}
        hint="Letters a to z, digits and hyphens. Empty for none."
        onChange={(event) => setTyped(event.target.value)}
      />
      {address !== undefined && (
        <p className="flex items-center gap-2 text-sm">
          <span className="min-w-0 font-mono break-all">{address}</span>
          {!isDirty && (
            <CopyButton
              text={address}
              label="Copy address"
              onCopied={() => toast.tell('deploy: module copied')}
            />
          )}
        </p>
      )}
    </SettingsCard>
  );
}
