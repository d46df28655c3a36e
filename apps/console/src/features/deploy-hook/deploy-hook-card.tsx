import type { Deploy, DeployHook } from '@cannery/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { AsOf } from '../../components/connection/as-of.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { CommandBlock } from '../../components/ui/command-block.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { serverText } from '../../lib/api/api-error.ts';
import { ago } from '../../lib/text/formats.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { deployHookQuery, useDeleteDeployHook, useRenewDeployHook } from './deploy-hook.ts';
import { HookDialog } from './hook-dialog.tsx';
import { isLoopback } from '../../lib/text/public-address.ts';
import { HostFields } from './host-guide.tsx';

const tell = (failure: unknown): void => {
  toast.tell('deploy: hook not changed', { text: serverText(failure) });
};

/** What the last call of the git host came to. */
function deliveryText({ last_delivery: outcome, last_delivery_at: at }: DeployHook): string {
  if (at === null) return 'The git host has not called yet.';
  return outcome === 'run'
    ? `The last push came ${ago(at)}, and a run has started.`
    : `The git host called ${ago(at)}; that was not a push to this branch.`;
}

interface HookPartsProps {
  readonly deploy: Deploy;
  readonly hook: DeployHook;
}

function HookParts({ deploy, hook, secret }: HookPartsProps & { secret: string | undefined }) {
  return (
    <div className="flex flex-col gap-4 border-t border-line px-5 py-4">
      <div>
        <p className="mb-1.5 text-sm font-medium">Address</p>
        <CommandBlock text={hook.address} label="Copy address" />
      </div>
      {secret !== undefined && (
        <div>
          <p className="mb-1.5 text-sm">
            <span className="font-medium">Secret</span>: copy it now; it is shown only once.
          </p>
          <CommandBlock text={secret} label="Copy secret" />
        </div>
      )}
      {isLoopback(hook.address) && (
        <Notice tone="warn" title="Only git hosts on this computer reach this address.">
          <p className="text-muted">
            To receive pushes from other hosts, the operator sets PUBLIC_URL to an address that they reach.
          </p>
        </Notice>
      )}
      <HostFields repositoryUrl={deploy.url ?? ''} />
    </div>
  );
}

/** Whether pushes at another git host start runs of a deploy, and what that host has to be told. */
export function DeployHookCard({ deploy }: { deploy: Deploy }) {
  const { data: hook } = useQuery(deployHookQuery(deploy.id));
  const renew = useRenewDeployHook(deploy.id);
  const remove = useDeleteDeployHook(deploy.id);
  const [asks, setAsks] = useState<'renew' | 'delete'>();
  const close = (): void => setAsks(undefined);
  const client = useQueryClient();
  const startedAt = hook?.last_delivery === 'run' ? hook.last_delivery_at : undefined;
  useEffect(() => {
    if (startedAt === undefined) return;
    // The list of runs does not know of one that a push has started.
    void client.invalidateQueries({ queryKey: queryKeys.instances(deploy.id), exact: true });
  }, [client, deploy.id, startedAt]);
  // A service without webhooks has nothing to show here.
  if (hook === undefined) return null;

  return (
    <Card className="max-w-2xl animate-entrance" aria-label="Deploy on push">
      <CardHeader
        title="Deploy on push"
        note={hook === null ? undefined : <Chip tone="ok">On</Chip>}
        age={<AsOf of={[queryKeys.deployHook(deploy.id)]} />}
        actions={
          hook === null && (
            <Button
              size="small"
              busy={renew.isPending}
              onClick={() => renew.mutate(undefined, { onError: tell })}
            >
              Switch on
            </Button>
          )
        }
      />
      <p className="-mt-2 px-5 pb-4 text-sm text-pretty text-muted">
        A push to <span className="font-mono wrap-anywhere">{deploy.branch}</span> starts a run, once the git
        host of the repository calls this console.
      </p>
      {hook !== null && (
        <>
          <HookParts deploy={deploy} hook={hook} secret={renew.data?.secret} />
          <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
            <p role="status" className="mr-auto text-sm text-muted max-sm:w-full">
              {deliveryText(hook)}
            </p>
            <Button onClick={() => setAsks('delete')}>Switch off</Button>
            <Button onClick={() => setAsks('renew')}>New secret</Button>
          </div>
        </>
      )}
      <HookDialog
        open={asks === 'renew'}
        busy={renew.isPending}
        title="Make a new secret?"
        description="The git host is refused until it has the new one. The address stays."
        words={{ go: 'Make new secret', keep: 'Keep secret' }}
        onGo={() => renew.mutate(undefined, { onSuccess: close, onError: tell })}
        onClose={close}
      />
      <HookDialog
        open={asks === 'delete'}
        busy={remove.isPending}
        title="Switch the webhook off?"
        description="Pushes start no runs any more. When you switch it on again, it has another address and another secret."
        words={{ go: 'Switch webhook off', keep: 'Keep webhook' }}
        onGo={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              close();
              renew.reset();
            },
            onError: tell,
          })
        }
        onClose={close}
      />
    </Card>
  );
}
