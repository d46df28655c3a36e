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
          <li key={folder} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button type="button" onClick={() => onChoose(folder)}>
              Use {folder}
            </Button>
            <span className="text-muted wrap-anywhere">has {file}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
