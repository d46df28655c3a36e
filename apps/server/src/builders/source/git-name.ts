/** Characters that some file systems leave out of a name (git, utf8.c: `next_hfs_char`). */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const SYMBOLIC_LINK = '120000';

/**
 * Whether git would refuse a name in a path of a commit, since it, or a name that some file system takes for it, is of git
 * itself (git, read-cache.c: `verify_path`).
 * @param mode of the entry; a link may not have the name of a file that git reads
 */
export function isGitName(name: string, mode: string): boolean {
  if (name === '' || name === '.' || name === '..') return true;
  return name.split('\\').some((part) => {
    // Streams of NTFS, and dots and spaces that it leaves out.
    const plain = part
      .replace(/:.*$/s, '')
      .replace(/[. ]+$/, '')
      .replaceAll(IGNORED, '')
      .toLowerCase();
    if (plain === '.git' || plain === 'git~1') return true;
    return mode === SYMBOLIC_LINK && (plain === '.gitmodules' || /^gi(?:tmod|7eba)~\d$/.test(plain));
  });
}
