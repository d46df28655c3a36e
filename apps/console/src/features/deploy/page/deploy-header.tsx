import type { Deploy, PublicConfig } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { GitBranch, GitFork, ListChecks, Rocket, Settings } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, buttonClass } from '../../../components/ui/button.tsx';
import { paths } from '../../../config/paths.ts';
import { classNames } from '../../../lib/class-names.ts';
import { deployKind, deployTypeTag } from '../../../lib/text/deploy-type-text.ts';
import { shown } from '../../../lib/text/formats.ts';
import { repositoryLinks } from '../../../lib/text/repository-links.ts';
import { DeployPartDialog, hasParts } from './deploy-part-dialog.tsx';

interface DeployPartButtonProps {
  readonly deploy: Deploy;
  /** Id of the newest run, which may have created canisters. */
  readonly lastRun: string;
  readonly busy: boolean;
  readonly onTrigger: (canisters: readonly string[]) => Promise<boolean>;
}

/** Starts a run of some canisters of a project, after asking which. */
function DeployPartButton({ deploy, lastRun, busy, onTrigger }: DeployPartButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button disabled={busy} onClick={() => setOpen(true)}>
        <ListChecks className="size-4" aria-hidden="true" />
        Deploy a part
      </Button>
      {open && (
        <DeployPartDialog
          deploy={deploy}
          lastRun={lastRun}
          onClose={() => setOpen(false)}
          onTrigger={onTrigger}
        />
      )}
    </>
  );
}

interface DeployHeaderProps {
  readonly deploy: Deploy;
  readonly config: PublicConfig | undefined;
  /** True while a trigger or a poll runs. */
  readonly busy: boolean;
  /** @param canisters names of those that the run is limited to; none for the whole project */
  /** Resolves to whether the service has answered, also with a refusal. */
  readonly onTrigger: (canisters?: readonly string[]) => Promise<boolean>;
  /** Id of the newest run, which may have created canisters. */
  readonly lastRun: string;
}

const partClass = 'inline-flex items-center gap-1.5 wrap-anywhere text-muted';

/** A part of where the code comes from, as the way to its page where there is one. */
function RepositoryPart({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return <span className={partClass}>{children}</span>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className={classNames(partClass, 'hover:text-ink hover:underline')}
    >
      {children}
    </a>
  );
}

export function DeployHeader({ deploy, config, busy, onTrigger, lastRun }: DeployHeaderProps) {
  const repository = repositoryLinks(deploy, config);
  // The pages of a repository go with it.
  const hasPages = deploy.repository_deleted !== true;
  return (
    <header className="flex flex-wrap items-start gap-4">
      <div className="min-w-0 flex-1 basis-80">
        <p className="text-xs font-medium tracking-wider text-muted">{deployKind(deploy.type)}</p>
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{shown(deploy.name)}</h1>
          <span className="rounded-full border border-line bg-surface px-2.5 py-0.5 text-xs text-muted">
            {deployTypeTag(deploy.type)}
          </span>
        </div>
        <p className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
          <RepositoryPart href={hasPages ? repository.page : undefined}>
            <GitFork className="size-4 shrink-0" aria-hidden="true" />
            {repository.host === undefined ? '' : `${repository.host}/`}
            {repository.name}
          </RepositoryPart>
          <RepositoryPart href={hasPages ? repository.tree : undefined}>
            <GitBranch className="size-4 shrink-0" aria-hidden="true" />
            {shown(deploy.branch)}
          </RepositoryPart>
        </p>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button variant="primary" disabled={busy} onClick={() => void onTrigger()}>
          <Rocket className="size-4" />
          Manual Deploy
        </Button>
        {hasParts(deploy) && (
          <DeployPartButton deploy={deploy} lastRun={lastRun} busy={busy} onTrigger={onTrigger} />
        )}
        <Link to={paths.deployTab} params={{ id: deploy.id, tab: 'settings' }} className={buttonClass()}>
          <Settings className="size-4" aria-hidden="true" />
          Settings
        </Link>
      </div>
    </header>
  );
}
