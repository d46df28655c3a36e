import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

/** An entry of a tree: git's mode, a name of any bytes, and the id of what it names. */
export type TreeEntry = readonly [mode: string, name: string | Buffer, id: string];

/** Writes objects into a bare repository past git, which would refuse many of them. */
export interface GitObjects {
  blob(content: string | Buffer): string;
  /** The entries stand as they are given: neither sorted nor checked. */
  tree(...entries: TreeEntry[]): string;
  /** A commit of a tree, as the newest of `main`. */
  commit(tree: string, message?: string): string;
}

export function gitObjects(gitDir: string): GitObjects {
  const write = (type: string, content: Buffer): string => {
    const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const id = createHash('sha1').update(whole).digest('hex');
    mkdirSync(join(gitDir, 'objects', id.slice(0, 2)), { recursive: true });
    writeFileSync(join(gitDir, 'objects', id.slice(0, 2), id.slice(2)), deflateSync(whole, { level: 1 }));
    return id;
  };
  return {
    blob: (content) => write('blob', Buffer.from(content)),
    tree: (...entries) =>
      write(
        'tree',
        Buffer.concat(
          entries.flatMap(([mode, name, id]) => [
            Buffer.from(`${mode} `),
            Buffer.from(name),
            Buffer.from([0]),
            Buffer.from(id, 'hex'),
          ]),
        ),
      ),
    commit(tree, message = 'A commit') {
      const who = 'Ada <ada@example.org> 1700000000 +0000';
      const id = write(
        'commit',
        Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\n${message}\n`),
      );
      mkdirSync(join(gitDir, 'refs', 'heads'), { recursive: true });
      writeFileSync(join(gitDir, 'refs', 'heads', 'main'), `${id}\n`);
      return id;
    },
  };
}
