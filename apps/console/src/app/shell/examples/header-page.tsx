import { Example } from '../../../features/documentation/example.tsx';
import { HeaderBar } from './header-bar.tsx';
import { HeaderMenu } from './header-menu.tsx';

/** The files of the examples, as they are. */
const sources = import.meta.glob<string>('./header-*.tsx', { query: '?raw', import: 'default', eager: true });

export const headerHeadings = { bar: 'The bar', menu: 'The menu' } as const;

/** The bar above every page. */
export function HeaderPage() {
  return (
    <>
      <p className="text-pretty">
        The bar stays at the top of every page: the toggle of the sidebar, the mark, and who is signed in.
      </p>
      <Example
        id="bar"
        title={headerHeadings.bar}
        text="The toggle says what it will do, and whether the sidebar is open."
        source={sources['./header-bar.tsx']}
      >
        <HeaderBar />
      </Example>
      <Example
        id="menu"
        title={headerHeadings.menu}
        text="The menu of the profile holds the theme. Choose one: it is kept in this browser."
        source={sources['./header-menu.tsx']}
      >
        <HeaderMenu />
      </Example>
    </>
  );
}
