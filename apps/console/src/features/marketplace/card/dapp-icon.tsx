import { useQuery } from '@tanstack/react-query';
import { Package } from 'lucide-react';
import { classNames } from '../../../lib/class-names.ts';
import { iconQuery } from '../api/queries.ts';

function Placeholder({ className }: { className: string }) {
  return (
    <span
      data-icon="placeholder"
      aria-hidden="true"
      className={classNames('grid place-items-center bg-accent-soft text-accent', className)}
    >
      <Package className="size-1/2" strokeWidth={1.5} />
    </span>
  );
}

function LoadedIcon({ identifier, className }: { identifier: string; className: string }) {
  const { data } = useQuery(iconQuery(identifier));
  if (data === undefined || data === null) return <Placeholder className={className} />;
  return <img src={data} alt="" data-icon="picture" className={classNames('object-cover', className)} />;
}

interface DappIconProps {
  /** Identifier of a document. */
  readonly icon: string | null;
  readonly className?: string;
}

/** The icon of a dapp; a placeholder while there is none. */
export function DappIcon({ icon, className = 'size-12' }: DappIconProps) {
  const look = classNames('shrink-0 rounded-card', className);
  return icon ? <LoadedIcon identifier={icon} className={look} /> : <Placeholder className={look} />;
}
