import { IdText } from '../../components/ui/id-text.tsx';

interface CanisterFactsProps {
  readonly moduleHash: string | undefined;
  readonly network: string;
}

/** What the page knows of its canister: the module, the network, and who calls. */
export function CanisterFactsCard({ moduleHash, network }: CanisterFactsProps) {
  return (
    <dl className="grid gap-x-8 gap-y-3 rounded-card border border-line bg-surface px-5 py-4 text-sm md:grid-cols-[minmax(0,1fr)_auto_auto]">
      <div className="min-w-0">
        <dt className="text-xs text-muted">Module hash</dt>
        <dd className="min-h-7 py-0.5">
          {moduleHash === undefined ? 'N/A' : <IdText id={`0x${moduleHash}`} of="module hash" />}
        </dd>
      </div>
      <div>
        <dt className="text-xs text-muted">Network</dt>
        <dd className="py-1 font-mono break-all">{network}</dd>
      </div>
      <div>
        <dt className="text-xs text-muted">Calls as</dt>
        <dd className="py-1">Anonymous</dd>
      </div>
    </dl>
  );
}
