import { parseDocument } from 'yaml';

/**
 * What a project's .yarnrc.yml may say while packages are installed: how they are laid out and which they are. Programs
 * (`yarnPath`, `plugins`), addresses, places to write and the like are decided by the server.
 */
const KEPT: readonly string[] = [
  'catalog',
  'cacheMigrationMode',
  'catalogs',
  'checksumBehavior',
  'compressionLevel',
  'defaultProtocol',
  'defaultSemverRangePrefix',
  'enableTransparentWorkspaces',
  'nmHoistingLimits',
  'nmMode',
  'nmSelfReferences',
  'nodeLinker',
  'npmMinimalAgeGate',
  'npmPreapprovedPackages',
  'packageExtensions',
  'pnpEnableEsmLoader',
  'pnpEnableInlining',
  'pnpFallbackMode',
  'pnpIgnorePatterns',
  'pnpMode',
  'supportedArchitectures',
  'winLinkType',
];
/** How often one part of the file may be named elsewhere in it. */
const MOST_ALIASES = 100;

/**
 * The settings of a .yarnrc.yml that are kept, as JSON, which is YAML too. Empty for a file that cannot be read, since
 * yarn itself will say what is wrong with it. For a thread: the work is not bounded by the length of the text.
 */
export function yarnSettings(text: string): string {
  try {
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
    if (document.errors.length > 0) return '{}';
    const settings: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    if (typeof settings !== 'object' || settings === null) return '{}';
    return JSON.stringify(Object.fromEntries(Object.entries(settings).filter(([key]) => KEPT.includes(key))));
  } catch {
    return '{}';
  }
}
