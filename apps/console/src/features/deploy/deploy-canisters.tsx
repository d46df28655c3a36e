import type { Deploy, PublicConfig } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { Globe } from 'lucide-react';
import { buttonClass } from '../../components/ui/button-class.ts';
import { CandidLink } from '../../components/ui/candid-link.tsx';
import { Card } from '../../components/ui/card.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { paths } from '../../config/paths.ts';
import { fillPattern } from '../../lib/fill-pattern.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';

function SiteAddress({ canisterId, config }: { canisterId: string; config: PublicConfig }) {
  const url = fillPattern(config.canister_url_pattern, { canisterId });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-4">
      <Globe className="size-5 shrink-0 text-accent max-sm:hidden" aria-hidden="true" />
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="min-w-0 text-lg font-medium break-all text-accent hover:underline"
      >
        {url}
      </a>
      <CopyButton
        text={url}
        label="Copy URL"
        onCopied={() => toast.success('Copied', { duration: toastDurations.deploy })}
      />
      <Link
        to={paths.canister}
        params={{ id: canisterId }}
        className="ml-auto text-sm text-muted hover:text-ink hover:underline max-sm:ml-0"
      >
        Canister details
      </Link>
    </li>
  );
}

interface CodeCanisterProps {
  readonly canisterId: string;
  /** Its name in a project of several canisters. */
  readonly name: string | null;
  /** Address of the website it serves, if it serves one. */
  readonly url: string | null;
}

function CodeCanister({ canisterId, name, url }: CodeCanisterProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
      <span className="flex min-w-0 flex-col gap-0.5">
        {name !== null && <span className="font-medium wrap-anywhere">{name}</span>}
        <IdText id={canisterId} of="canister id" />
      </span>
      <span className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
        {url !== null && (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ size: 'small', variant: 'primary' })}
          >
            Visit
          </a>
        )}
        <Link to={paths.canister} params={{ id: canisterId }} className={buttonClass({ size: 'small' })}>
          Canister details
        </Link>
        <CandidLink id={canisterId} label="Candid UI" size="small" />
      </span>
    </li>
  );
}

/** The canisters of a deploy: public addresses for sites, ids and their pages for code. */
export function DeployCanisters({ deploy, config }: { deploy: Deploy; config: PublicConfig | undefined }) {
  if (deploy.canisters.length === 0) {
    return <Card className="px-5 py-4 text-muted">No canister assigned yet</Card>;
  }
  return (
    <Card>
      <ul aria-label="Canisters" className="divide-y divide-line">
        {deploy.canisters.map((canisterId) => {
          // Without the configuration the address of a site is not known, but its canister is.
          if (deploy.type === 'STATIC_SITE' && config) {
            return <SiteAddress key={canisterId} canisterId={canisterId} config={config} />;
          }
          const part = deploy.parts.find((one) => one.canister_id === canisterId);
          const url =
            part?.kind === 'site' && config ? fillPattern(config.canister_url_pattern, { canisterId }) : null;
          const name = deploy.canisters.length > 1 ? (part?.name ?? null) : null;
          return <CodeCanister key={canisterId} canisterId={canisterId} name={name} url={url} />;
        })}
      </ul>
    </Card>
  );
}
