import { Check } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';

interface SampleChoiceProps {
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
  /** Another module is chosen already. */
  readonly disabled: boolean;
}

/** The module that comes with the product, for those who have none; nothing where a service has no such module. */
export function SampleChoice({ chosen, onChoose, disabled }: SampleChoiceProps) {
  if (usePublicConfig()?.sample_module !== true) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button size="small" aria-pressed={chosen} disabled={disabled} onClick={() => onChoose(!chosen)}>
        {chosen && <Check className="size-4" aria-hidden="true" />}
        Use the sample module
      </Button>
      <span className="min-w-0 flex-1 basis-56 text-sm text-muted">
        A counter written in Motoko, to try a canister out.
      </span>
    </div>
  );
}
