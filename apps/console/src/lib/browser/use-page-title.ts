import { useEffect } from 'react';
import { PRODUCT_NAME } from '../../config/env.ts';

/** Names the page in the browser's tab and history. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT_NAME}`;
  }, [title]);
}
