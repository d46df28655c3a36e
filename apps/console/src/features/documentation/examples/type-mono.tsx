import { IdText } from '../../../components/ui/id-text.tsx';

/** Ids, hashes, cycles, code and logs are read sign by sign. */
export function TypeMono() {
  return (
    <div className="flex flex-col gap-2">
      <IdText id="rrkah-fqaaa-aaaaa-aaaaq-cai" of="canister id" />
      <p className="font-mono">1,500,000,000,000 cycles</p>
    </div>
  );
}
