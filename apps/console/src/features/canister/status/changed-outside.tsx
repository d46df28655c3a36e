import { Chip } from '../../../components/ui/chip.tsx';

/** Says that a canister does not have the code that was put into it. */
export function ChangedOutside() {
  return (
    <span
      title="Its code is not the code that the console has put in: somebody else has changed it."
      className="inline-flex align-bottom"
    >
      <Chip tone="warn">Changed outside</Chip>
    </span>
  );
}
