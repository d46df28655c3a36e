import type { RegistryComparison, RegistryVersion } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CompatibilityNotice } from '../../components/ui/compatibility-notice.tsx';
import { Picker } from '../../components/ui/picker.tsx';
import { Spinner } from '../../components/ui/spinner.tsx';
import { byteSize } from '../../lib/text/byte-size.ts';
import { describeError } from '../../lib/api/api-error.ts';
import { tableDate } from '../../lib/text/formats.ts';
import { registryComparisonQuery } from './registries.ts';

/** What has become of a method, as the end of a sentence that begins with its name. */
export function methodText({ before, after }: RegistryComparison['methods'][number]): string {
  if (before === null) return `is new: ${after ?? ''}`;
  if (after === null) return `is gone: ${before}`;
  return `was ${before} and is ${after}`;
}

/** How a size changes, in bytes: '512 B smaller', '1.50 MiB larger', 'the same size'. */
export function sizeChange(before: number, after: number): string {
  if (before === after) return 'the same size';
  return `${byteSize(Math.abs(after - before))} ${after < before ? 'smaller' : 'larger'}`;
}

const candidTexts = {
  compatible: 'Callers keep working: the interface is compatible',
  breaking: 'Callers may break: the interface changes',
  unknown: 'The interfaces cannot be compared',
};
const stableTexts = {
  compatible: 'An upgrade keeps the data: its types are compatible',
  breaking: 'An upgrade would lose data or fail: its types change',
  unknown: 'It is not known whether an upgrade keeps the data',
};

function Result({ candid, stable_memory: stable, methods }: RegistryComparison) {
  return (
    <>
      <CompatibilityNotice compatibility={candid} texts={candidTexts} />
      <CompatibilityNotice compatibility={stable} texts={stableTexts} />
      {methods.length > 0 && (
        <ul aria-label="Changed methods" className="flex list-disc flex-col gap-1 pl-4 text-sm">
          {methods.map((change) => (
            <li key={change.method} className="wrap-anywhere">
              <code className="font-mono text-[12px]">{change.method}</code> {methodText(change)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface VersionComparisonProps {
  readonly registryId: string;
  /** Newest first; two at least. */
  readonly versions: readonly RegistryVersion[];
}

/** What changes for callers and data from one version to another; at first, from the one before to the newest. */
export function VersionComparison({ registryId, versions }: VersionComparisonProps) {
  const [[from, to], setPair] = useState([versions[1]?.version ?? 1, versions[0]?.version ?? 1]);
  const { data, error, isPending } = useQuery(registryComparisonQuery(registryId, from, to));
  const sizeOf = (number: number): number => versions.find(({ version }) => version === number)?.size ?? 0;
  const options = versions.map(({ version, created_at: createdAt }) => ({
    value: String(version),
    label: `Version ${version}`,
    note: tableDate(createdAt).slice(0, 10),
  }));
  const picker = (label: string, value: number, choose: (next: number) => void) => (
    <Picker
      label={label}
      options={options}
      value={String(value)}
      placeholder="Choose a version"
      nothingFits="There is no such version."
      required
      onChange={(next) => next !== undefined && choose(Number(next))}
    />
  );
  return (
    <section aria-label="Comparison" className="flex flex-col gap-3">
      <h3 className="font-semibold">Compare</h3>
      <div className="grid grid-cols-2 gap-3">
        {picker('From', from, (next) => setPair([next, to]))}
        {picker('To', to, (next) => setPair([from, next]))}
      </div>
      <p className="text-sm text-muted">
        {byteSize(sizeOf(from))} to {byteSize(sizeOf(to))}, {sizeChange(sizeOf(from), sizeOf(to))}
      </p>
      {isPending ? (
        <Spinner label="Comparing" />
      ) : data === undefined ? (
        <p className="text-sm text-bad">{describeError(error).reason}</p>
      ) : (
        <Result {...data} />
      )}
    </section>
  );
}
