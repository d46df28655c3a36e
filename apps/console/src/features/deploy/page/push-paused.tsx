import type { Deploy } from '@cannery/contract';
import { Button } from '../../../components/ui/button.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { instanceDate } from '../../../lib/text/formats.ts';
import { useSaveSettings } from '../api/mutations.ts';
import { NotSaved } from '../settings/not-saved.tsx';
import { saveAndTell } from '../settings/save-settings.ts';

/** Says that pushes start no run for now, since when, and ends that. */
export function PushPaused({ deploy }: { deploy: Deploy }) {
  const save = useSaveSettings(deploy);
  if (deploy.on_push !== true || !deploy.push_paused_at) return null;
  return (
    <>
      <Notice tone="warn" title="Deploy on push is paused">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 flex-1 basis-60 text-muted">
            Since {instanceDate(deploy.push_paused_at)}. A push to{' '}
            <span className="font-mono text-[12px] wrap-anywhere">{deploy.branch}</span> starts no run until
            you resume.
          </p>
          <Button
            size="small"
            busy={save.isPending}
            onClick={() => void saveAndTell(save.mutateAsync({ push_paused: false }))}
          >
            Resume
          </Button>
        </div>
      </Notice>
      {save.isError && <NotSaved failure={save.error} />}
    </>
  );
}
