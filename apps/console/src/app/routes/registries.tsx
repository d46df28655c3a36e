import { RegistriesSection } from '../../features/registry/registries-section.tsx';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

/** The modules that the user keeps under names. */
export function RegistriesPage() {
  usePageTitle('Registries');
  return (
    <>
      <h1 className="sr-only">Registries</h1>
      <RegistriesSection />
    </>
  );
}
