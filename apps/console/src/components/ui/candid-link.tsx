import { SquareArrowOutUpRight } from 'lucide-react';
import { buttonClass, type ButtonSize } from './button.tsx';
import { fillPattern } from '../../lib/text/fill-pattern.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';

interface CandidLinkProps {
  readonly id: string;
  readonly label: string;
  readonly size?: ButtonSize;
}

/** Opens the Candid page of a canister in a new tab. */
export function CandidLink({ id, label, size }: CandidLinkProps) {
  const config = usePublicConfig();
  return (
    <a
      href={config && fillPattern(config.candid_url_pattern, { canisterId: id, id })}
      target="_blank"
      rel="noreferrer"
      className={buttonClass({ size })}
    >
      <SquareArrowOutUpRight className="size-4 text-muted" aria-hidden="true" />
      {label}
    </a>
  );
}
