import { clockTime } from '../../lib/text/formats.ts';

interface AsOfProps {
  /** A list of which later answers may fail; with the time of the last one that came, in milliseconds since 1970. */
  readonly list: { readonly isRefetchError: boolean; readonly dataUpdatedAt: number };
}

/** Of when a list is, from the first refresh of it that failed; nothing while it is fresh. */
export function AsOf({ list: { isRefetchError, dataUpdatedAt } }: AsOfProps) {
  if (!isRefetchError) return null;
  const at = new Date(dataUpdatedAt).toISOString();
  return (
    <span role="status" className="text-sm whitespace-nowrap text-warn">
      as of <time dateTime={at}>{clockTime(at)}</time>
    </span>
  );
}
