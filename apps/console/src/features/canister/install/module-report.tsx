import type { InstallMode, ModuleInspection } from '@cannery/contract';
import { IdText } from '../../../components/ui/id-text.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { byteSize } from '../../../lib/text/byte-size.ts';
import { CompatibilityNotice } from '../../../components/ui/compatibility-notice.tsx';

const candidTexts = {
  compatible: 'Callers keep working: the interface is compatible',
  breaking: 'Callers may break: the interface changes',
  unknown: 'The interface cannot be compared',
};

const stableTexts = {
  compatible: 'Data is kept: its types are compatible',
  breaking: 'Data would be lost or the upgrade fails: its types change',
  unknown: 'It is not known whether the data is kept',
};

/** Compilers add their own methods, whose names begin like this. */
const isOwn = (name: string): boolean => !/^(__|@)/.test(name);

/** '1 query', '3 updates'; undefined for none. */
function count(methods: readonly string[], one: string, many: string): string | undefined {
  return methods.length === 0 ? undefined : `${methods.length} ${methods.length === 1 ? one : many}`;
}

/** How many methods of each kind the author wrote, and how many the compiler added. */
function methodsText({
  updates,
  queries,
  composite_queries: composite,
}: ModuleInspection['methods']): string {
  const added = [...updates, ...queries, ...composite].filter((name) => !isOwn(name));
  const kinds = [
    count(updates.filter(isOwn), 'update', 'updates'),
    count(queries.filter(isOwn), 'query', 'queries'),
    count(composite.filter(isOwn), 'composite query', 'composite queries'),
    count(added, 'added by the compiler', 'added by the compiler'),
  ];
  return kinds.filter((kind) => kind !== undefined).join(', ');
}

function sizeText({ size, unpacked_size, gzip }: ModuleInspection): string {
  return gzip ? `${byteSize(size)} packed, ${byteSize(unpacked_size)} unpacked` : byteSize(size);
}

/** What a module holds, and what installing it would mean for callers and data. */
export function ModuleReport({ inspection, mode }: { inspection: ModuleInspection; mode: InstallMode }) {
  const { updates, queries, composite_queries: composite } = inspection.methods;
  const all = [...updates, ...queries, ...composite];
  const names = [...all.filter(isOwn), ...all.filter((name) => !isOwn(name))];
  return (
    <>
      <dl
        aria-label="Module"
        className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 rounded-card border border-line bg-sunken px-4 py-3 text-sm"
      >
        <dt className="text-muted">Hash</dt>
        <dd>
          <IdText id={inspection.module_hash} of="hash of the module" short />
        </dd>
        <dt className="text-muted">Size</dt>
        <dd>{sizeText(inspection)}</dd>
        <dt className="self-start text-muted">Methods</dt>
        <dd>
          {names.length === 0 ? (
            'none'
          ) : (
            <details>
              <summary className="rounded-control">{methodsText(inspection.methods)}</summary>
              <p className="mt-1 max-h-32 overflow-y-auto font-mono text-xs break-words text-muted">
                {names.join(', ')}
              </p>
            </details>
          )}
        </dd>
      </dl>
      {inspection.already_installed && (
        <Notice tone="info" title="Already installed">
          <p className="text-muted">The canister runs this module.</p>
        </Notice>
      )}
      {inspection.upgrade && !inspection.already_installed && (
        <>
          <CompatibilityNotice compatibility={inspection.upgrade.candid} texts={candidTexts} />
          {mode === 'upgrade' && (
            <CompatibilityNotice compatibility={inspection.upgrade.stable_memory} texts={stableTexts} />
          )}
        </>
      )}
    </>
  );
}
