import type { LikelyRootAnswer } from '@cannery/contract';
import { Button } from '../../../components/ui/button.tsx';

interface RootOffersProps {
  readonly roots: readonly LikelyRootAnswer[];
  readonly onChoose: (folder: string) => void;
}

/** Offers folders of the repository as the root directory, each with the file that speaks for it. */
export function RootOffers({ roots, onChoose }: RootOffersProps) {
  if (roots.length === 0) return null;
  return (
    <section aria-label="Folders that may be meant" className="flex flex-col gap-2 text-sm">
      <p className="text-muted">A folder of the repository may be meant as Root directory:</p>
      <ul className="flex flex-col gap-2">
        {roots.map(({ folder, file }) => (
          <li key={folder} className="flex items-center gap-x-3">
            <Button type="button" size="small" aria-label={`Use ${folder}`} onClick={() => onChoose(folder)}>
              Use
            </Button>
            <span className="min-w-0 wrap-anywhere">
              <span className="font-mono">{folder}</span> <span className="text-muted">has {file}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
