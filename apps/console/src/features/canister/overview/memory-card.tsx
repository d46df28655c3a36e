import type { CanisterDetails } from '@cannery/contract';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { byteSize } from '../../../lib/text/byte-size.ts';
import { memoryParts } from './memory-parts.ts';

/** What a canister's memory holds, as a bar and in numbers. */
export function MemoryCard({ memory }: { memory: CanisterDetails['memory'] }) {
  const parts = memoryParts(memory);
  return (
    <Card className="min-w-0">
      <CardHeader title="Memory" note={byteSize(memory.total)} />
      <div className="px-5 pb-5">
        <div aria-hidden="true" className="flex h-3 gap-px overflow-hidden rounded-full bg-sunken">
          {parts.map(({ key, share, colour }) => (
            // A part of a few bytes still shows.
            <span key={key} className="min-w-1" style={{ flexGrow: share, background: colour }} />
          ))}
        </div>
        {parts.length === 0 ? (
          <p className="mt-4 text-sm text-muted">Nothing is stored yet.</p>
        ) : (
          <ul className="mt-4 grid gap-x-8 gap-y-2 sm:grid-cols-2">
            {parts.map(({ key, label, bytes, share, colour }) => (
              <li key={key} className="flex items-center gap-2 text-sm">
                <span
                  aria-hidden="true"
                  className="size-2.5 shrink-0 rounded-full"
                  style={{ background: colour }}
                />
                <span className="flex-1">{label}</span>
                <span title={`${bytes.toLocaleString('en-US')} bytes`}>{byteSize(bytes)}</span>
                <span className="w-12 text-right text-muted">{share < 1 ? '<1' : Math.round(share)} %</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
