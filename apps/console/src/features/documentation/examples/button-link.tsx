import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../components/ui/button.tsx';
import { paths, quickStart } from '../../../config/paths.ts';

/** What leads to another page is a link, also when it looks like a button. */
export function ButtonLink() {
  return (
    <Link to={paths.documentationPage} params={quickStart} className={buttonClass({ variant: 'primary' })}>
      Read the quick start
    </Link>
  );
}
