import type { Product } from '@cannery/contract';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { isLost, serverText } from '../../../lib/api/api-error.ts';
import { shown } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { demoPaths } from '../demo-paths.ts';
import { useDeleteProducts } from './products.ts';

interface DeleteProductsDialogProps {
  /** At least one. */
  readonly products: readonly Product[];
  readonly onClose: () => void;
}

/** Titles that the dialog lists; of more it gives the number. */
const MOST_LISTED = 6;

/** Asks before products are deleted; the management page shows what is left. Mounted while it is open. */
export function DeleteProductsDialog({ products, onClose }: DeleteProductsDialogProps) {
  const remove = useDeleteProducts();
  const navigate = useNavigate();
  const here = useLocation({ select: ({ pathname }) => pathname });
  const count = products.length === 1 ? 'this product' : `${products.length} products`;

  const confirm = async (): Promise<void> => {
    try {
      await remove.mutateAsync(products);
      toast.tell('product: deleted', {
        text: products.length === 1 ? 'Product deleted' : `${products.length} products deleted`,
      });
    } catch (failure) {
      toast.tell('product: not deleted', { text: serverText(failure) });
      if (isLost(failure)) return;
    }
    onClose();
    if (here !== demoPaths.products) await navigate({ to: demoPaths.products });
  };

  return (
    <ActionDialog
      onClose={onClose}
      title={`Are you sure you want to delete ${count}?`}
      description="This cannot be undone."
      action="Delete"
      danger
      busy={remove.isPending}
      onAction={() => void confirm()}
    >
      <ul className="rounded-card border border-line bg-sunken px-4 py-3 text-sm">
        {products.slice(0, MOST_LISTED).map(({ id, title }) => (
          <li key={id} className="font-medium wrap-anywhere">
            {shown(title)}
          </li>
        ))}
        {products.length > MOST_LISTED && (
          <li className="text-muted">and {products.length - MOST_LISTED} more</li>
        )}
      </ul>
    </ActionDialog>
  );
}
