import type { Deploy, DeployInstance } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { Ellipsis, GitCompareArrows, Link2, RotateCw, ScrollText, Undo2 } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useCopy } from '../../../components/ui/copy-button.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../components/ui/menu.tsx';
import { paths } from '../../../config/paths.ts';
import { opensTab } from '../../../lib/browser/opens-tab.ts';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { compareAddress, repositoryLinks } from '../../../lib/text/repository-links.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { canCompare, canRedeploy, canRollBack } from '../api/instances.ts';
import { useRedeploy } from '../api/run-actions.ts';
import { RollBackDialog } from './roll-back-dialog.tsx';
import { RunComparisonDialog } from './run-comparison.tsx';
import { runAddress, useShowRun } from './use-show-run.ts';

/** The button of the menu. It says that it is open, and nothing while it is closed, as menu buttons do. */
function MoreButton({ 'aria-expanded': expanded, ...rest }: ComponentProps<typeof IconButton>) {
  const isOpen = expanded === true || expanded === 'true';
  return (
    <IconButton {...rest} aria-expanded={isOpen ? true : undefined}>
      <Ellipsis className="size-4" aria-hidden="true" />
    </IconButton>
  );
}

interface RunMenuProps {
  readonly deploy: Deploy;
  readonly run: DeployInstance;
  /** The run whose result is live. */
  readonly live: DeployInstance | undefined;
  /** True while a run is being started or is under way. */
  readonly busy: boolean;
  /** Opens the log of this run where it is. */
  readonly onLog: () => void;
}

/** What can be done with a run, without opening it. */
export function RunMenu({ deploy, run, live, busy, onLog }: RunMenuProps) {
  const config = usePublicConfig();
  const { copy, byHand } = useCopy();
  const showRun = useShowRun(deploy.id);
  const redeploy = useRedeploy(run, showRun);
  const [dialog, setDialog] = useState<'roll back' | 'compare'>();
  const close = (): void => setDialog(undefined);
  if (run.id === '') return null;
  const copyLink = async (): Promise<void> => {
    if (await copy(runAddress(deploy.id, run.id))) toast.tell('deploy: link copied');
  };
  const isOwn = deploy.url === null && config?.git_provider.embedded === true;
  const isComparable = canCompare(run, live);
  const address =
    isComparable && !isOwn
      ? compareAddress(repositoryLinks(deploy, config).page, inOrder(run, live))
      : undefined;
  return (
    <>
      <Menu trigger={<MoreButton label={`Actions for ${run.commit_id?.slice(0, 7) || 'this run'}`} />}>
        {canRollBack(run, live) && (
          <MenuItem icon={<Undo2 />} onSelect={() => setDialog('roll back')}>
            Roll back to this
          </MenuItem>
        )}
        {canRedeploy(run, deploy, config) && (
          <MenuItem
            icon={<RotateCw />}
            disabled={busy || redeploy.isPending}
            onSelect={() => redeploy.mutate()}
          >
            Redeploy this commit
          </MenuItem>
        )}
        {isComparable && isOwn && deploy.repository_deleted !== true && (
          <MenuItem icon={<GitCompareArrows />} onSelect={() => setDialog('compare')}>
            Compare with what is live
          </MenuItem>
        )}
        {address !== undefined && (
          <MenuItem
            icon={<GitCompareArrows />}
            link={
              <a href={address} target="_blank" rel="noreferrer" aria-label="Compare with what is live" />
            }
          >
            Compare with what is live
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<Link2 />} onSelect={() => void copyLink()}>
          Copy link
        </MenuItem>
        <MenuItem
          icon={<ScrollText />}
          link={
            <Link
              to={paths.deployRun}
              params={{ id: deploy.id, runId: run.id }}
              resetScroll={false}
              onClick={(event) => opensTab(event) || onLog()}
            />
          }
        >
          Log
        </MenuItem>
      </Menu>
      {byHand}
      {dialog === 'roll back' && (
        <RollBackDialog run={run} live={live} open onOpenChange={(open) => !open && close()} />
      )}
      {dialog === 'compare' && live !== undefined && (
        <RunComparisonDialog run={run} live={live} onClose={close} />
      )}
    </>
  );
}

/** The commits of a run and of what is live, the older one first, as git hosts compare. */
function inOrder(run: DeployInstance, live: DeployInstance | undefined): readonly [string, string] {
  const [own, other] = [run.commit_sha ?? '', live?.commit_sha ?? ''];
  return (run.created_at ?? '') < (live?.created_at ?? '') ? [own, other] : [other, own];
}
