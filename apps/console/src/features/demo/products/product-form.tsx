import { type Product, productForm, type ProductPicture, productPictures } from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { Link, useNavigate } from '@tanstack/react-router';
import { Controller, useForm } from 'react-hook-form';
import { LostNotice } from '../../../components/connection/lost-notice.tsx';
import { useLostWrite } from '../../../components/connection/use-lost-write.ts';
import { Button, buttonClass } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { serverText } from '../../../lib/api/api-error.ts';
import { classNames } from '../../../lib/class-names.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { demoPaths } from '../demo-paths.ts';
import { CanPicture } from '../pictures/can-picture.tsx';
import { useSaveProduct } from './products.ts';

interface PictureChoiceProps {
  readonly value: ProductPicture;
  readonly onChange: (value: ProductPicture) => void;
}

/** The pictures a product can have; arrow keys go from one to the next. */
function PictureChoice({ value, onChange }: PictureChoiceProps) {
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

const [firstPicture] = productPictures;

const numberText = (number: number | null | undefined): string => number?.toString() ?? '';

/** The form's values: what the service takes, with numbers as they are typed. */
function startOf(product: Product | undefined) {
  return {
    img: productPictures.find((picture) => picture === product?.img) ?? firstPicture,
    title: product?.title ?? '',
    subtitle: product?.subtitle ?? '',
    price: numberText(product?.price),
    rating: numberText(product?.rating),
  };
}

/** The form of a product: empty, or filled with the one that is changed. */
export function ProductForm({ product }: { product: Product | undefined }) {
  const navigate = useNavigate();
  const save = useSaveProduct(product?.id);
  const { register, control, handleSubmit, formState } = useForm({
    resolver: zodResolver(productForm),
    defaultValues: startOf(product),
    mode: 'onTouched',
  });
  const { errors } = formState;
  const { lost, sent } = useLostWrite({ busy: save.isPending });
  const submit = handleSubmit(async (fields) => {
    sent();
    try {
      await save.mutateAsync(fields);
      toast.tell(product === undefined ? 'product: created' : 'product: saved');
      await navigate({ to: demoPaths.products });
    } catch (failure) {
      toast.tell('product: not saved', { text: serverText(failure) });
    }
  });

  return (
    <Card className="max-w-[720px] animate-entrance p-5">
      <form
        noValidate
        aria-label="Product"
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-5"
      >
        <TextField label="Title" error={errors.title?.message} {...register('title')} />
        <TextField label="Subtitle" error={errors.subtitle?.message} {...register('subtitle')} />
        <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
          <TextField
            label="Price in euros"
            inputMode="decimal"
            error={errors.price?.message}
            {...register('price')}
          />
          <TextField
            label="Rating"
            hint="From 0 to 5 stars."
            inputMode="decimal"
            error={errors.rating?.message}
            {...register('rating')}
          />
        </div>
        <Controller
          control={control}
          name="img"
          render={({ field }) => <PictureChoice value={field.value} onChange={field.onChange} />}
        />
        {lost !== undefined && <LostNotice lost={lost} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={save.isPending}>
            {lost !== undefined ? 'Try again' : product === undefined ? 'Create product' : 'Save product'}
          </Button>
          <Link to={demoPaths.products} className={buttonClass()}>
            Cancel
          </Link>
        </div>
      </form>
    </Card>
  );
}
