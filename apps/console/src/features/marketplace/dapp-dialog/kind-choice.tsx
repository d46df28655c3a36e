import type { DappKind } from '@cannery/contract';
import { Select } from '../../../components/ui/select.tsx';

/** What dapps are, for people. */
export const kindNames: Readonly<Record<DappKind, string>> = {
  website: 'Website',
  token: 'Token',
  tool: 'Tool',
};

const options = [
  { value: 'none', label: 'Not specified' },
  { value: 'website', label: kindNames.website },
  { value: 'token', label: kindNames.token },
  { value: 'tool', label: kindNames.tool },
] as const;

interface KindChoiceProps {
  readonly kind: DappKind | undefined;
  readonly onKind: (kind: DappKind | undefined) => void;
  readonly disabled: boolean;
}

/** What a dapp is, by which it can be found. */
export function KindChoice({ kind, onKind, disabled }: KindChoiceProps) {
  return (
    <Select
      label="Kind"
      options={options}
      value={kind ?? 'none'}
      disabled={disabled}
      onChange={(next) => onKind(next === 'none' ? undefined : next)}
    />
  );
}
