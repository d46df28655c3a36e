import { type ProductPicture, productPictures } from '@cannery/contract';
import { classNames } from '../../../lib/class-names.ts';
import { CanPicture } from '../pictures/can-picture.tsx';

interface PictureChoiceProps {
  readonly value: ProductPicture;
  readonly onChange: (value: ProductPicture) => void;
}

/** The pictures a product can have; arrow keys go from one to the next. */
export function PictureChoice({ value, onChange }: PictureChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Picture</legend>
      <div className="grid grid-cols-6 gap-2 max-sm:grid-cols-4">
        {productPictures.map((picture) => (
          <label
            key={picture}
            title={picture}
            className={classNames(
              'grid cursor-pointer place-items-center rounded-card border p-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent',
              picture === value ? 'border-accent bg-accent-soft' : 'border-line hover:border-control',
            )}
          >
            <input
              type="radio"
              name="img"
              value={picture}
              aria-label={picture}
              checked={picture === value}
              onChange={() => onChange(picture)}
              className="sr-only"
            />
            <CanPicture name={picture} className="w-full max-w-16" />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
