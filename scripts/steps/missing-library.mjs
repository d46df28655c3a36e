/** What the loaders of glibc and musl say when a shared library is not there. */
const MISSING =
  /error while loading shared libraries: (\S+?):|Error loading shared library (\S+?):|version `(\S+)' not found/;

/**
 * Packages of the libraries that the programs from npm need and a minimal system may lack: [Debian and Ubuntu, Fedora].
 * Sources: packages.debian.org and packages.fedoraproject.org, searched by file name.
 * @type {Readonly<Record<string, readonly [string, string]>>}
 */
const PACKAGES = {
  'libatomic.so.1': ['libatomic1', 'libatomic'],
  'libstdc++.so.6': ['libstdc++6', 'libstdc++'],
  'libgcc_s.so.1': ['libgcc-s1', 'libgcc'],
};

/**
 * Name of the shared library that kept a program from starting, from what its loader wrote.
 * @param {string} output
 * @returns {string | undefined}
 */
export function missingLibrary(output) {
  const found = MISSING.exec(output);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

/**
 * Says which commands bring a library.
 * @param {string} library such as `libatomic.so.1`
 */
export function howToInstall(library) {
  const [debian, fedora] = PACKAGES[library] ?? [];
  if (debian === undefined) return `Install the package of your system that has ${library}.`;
  return `Debian and Ubuntu: sudo apt-get install ${debian}. Fedora: sudo dnf install ${fedora}.`;
}
