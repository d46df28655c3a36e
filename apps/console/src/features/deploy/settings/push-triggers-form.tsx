import type { Deploy } from '@cannery/contract';
import { useState } from 'react';
import { TextArea } from '../../../components/ui/text-area.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { useSaveSettings } from '../api/mutations.ts';
import { givenTriggers, type PushDraft, pushDraft, tagsProblem, watchPathsProblem } from './push-triggers.ts';
import { SettingsCard } from './settings-card.tsx';

/** Which pushes deploy; nothing where the repository is elsewhere, or the service does not know of it. */
export function PushTriggersForm({ deploy }: { deploy: Deploy }) {
  const config = usePublicConfig();
  const isOwn = deploy.url === null && config?.git_provider.embedded === true;
  return isOwn && deploy.deploy_tags !== null ? <TriggersForm deploy={deploy} /> : null;
}

function TriggersForm({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  const saved = pushDraft(deploy);
  const [changed, setChanged] = useState<PushDraft>();
  const draft = changed ?? saved;
  const given = givenTriggers(draft);
  const isDirty = JSON.stringify(given) !== JSON.stringify(givenTriggers(saved));
  const problems = { paths: watchPathsProblem(draft), tags: tagsProblem(draft) };
  const isValid = problems.paths === undefined && problems.tags === undefined;
  const change = (fields: Partial<PushDraft>): void => setChanged({ ...draft, ...fields });

  return (
    <SettingsCard
      title="Which pushes deploy"
      about={
        <>
          A push to the branch starts no run when the message of its newest commit has{' '}
          <code className="font-mono">[skip ci]</code>.
        </>
      }
      draft={changed}
      isChanged={changed !== undefined}
      isDirty={isDirty}
      isValid={isValid}
      isSaving={save.isPending}
      onUndo={() => setChanged(undefined)}
      onSave={() => save.mutateAsync(given)}
    >
      <TextArea
        label="Deploy only when these paths change"
        mono
        rows={4}
        value={draft.watchPaths}
        placeholder={'apps/web\n!apps/web/**/*.md'}
        error={problems.paths}
        hint="For pushes to the branch. One pattern a line, from the top of the repository; ! takes out, and the last that fits decides. Empty for every push."
        onChange={(event) => change({ watchPaths: event.target.value })}
      />
      <TextField
        label="Deploy on tags"
        mono
        value={draft.deployTags}
        placeholder="v*"
        error={problems.tags}
        hint="A push of a tag that fits deploys its commit, whatever branch it is on. Empty for none."
        onChange={(event) => change({ deployTags: event.target.value })}
      />
    </SettingsCard>
  );
}
