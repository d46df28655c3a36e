import type { DeployInstance } from '@cannery/contract';
import { partText } from '../api/instances.ts';

/** Which part of the project a run deploys; nothing for the whole project. */
export function RunPart({ run }: { run: DeployInstance }) {
  const text = partText(run);
  if (text === null) return null;
  return (
    <span title={text} className="max-w-48 truncate text-sm text-muted sm:max-w-64">
      {text}
    </span>
  );
}
