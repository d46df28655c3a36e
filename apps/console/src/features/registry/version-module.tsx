import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Spinner } from '../../components/ui/spinner.tsx';
import { describeError } from '../../lib/api/describe-error.ts';
import { registryModuleQuery } from './queries.ts';

/** Compilers add their own methods, whose names begin like this. */
const ADDED = /^canister_\w+ (?:__|@)/;

function Text({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <p className="flex items-center justify-between gap-2 text-muted">
        {title}
        <CopyButton text={text} label={`Copy ${title}`} />
      </p>
      {/* Reached by keyboard, so that it can be scrolled. */}
      <pre
        tabIndex={0}
        aria-label={title}
        className="max-h-56 overflow-auto rounded-control border border-line bg-sunken px-3 py-2 font-mono text-xs"
      >
        {text}
      </pre>
    </div>
  );
}

/** What the module of a version tells of itself. */
export function VersionModule({ id, version }: { id: string; version: number }) {
  const { data, error, isPending } = useQuery(registryModuleQuery(id, version));
  if (isPending) return <Spinner label="Checking the module" />;
  if (data === undefined) return <p className="text-sm text-bad">{describeError(error).reason}</p>;
  const { exports, candid, stable_types: stable } = data;
  const own = exports.filter((name) => !ADDED.test(name));
  return (
    <div className="flex flex-col gap-3 text-sm">
      <div>
        <p className="text-muted">Exports</p>
        <p className="max-h-32 overflow-y-auto font-mono text-xs wrap-anywhere">
          {own.length === 0 ? 'none' : own.join(', ')}
        </p>
      </div>
      {candid === null ? (
        <p className="text-muted">The module does not carry its Candid interface.</p>
      ) : (
        <Text title="Candid interface" text={candid} />
      )}
      {stable !== null && <Text title="Stable variables" text={stable} />}
    </div>
  );
}
