// Works on the folder of one tenant, inside the sandbox, with a build's user and its rights: what the server has to read, write,
// list, move or remove there is done here, where a link leads to nothing of the host.
//
//   node main.mjs BASE
//
// BASE  the folder of the tenant, as this process sees it
// Requests come on standard input and are answered in their order on standard output: the length of a head as 4 bytes
// (big-endian), the head as JSON, and as many bytes after it as the head's `body` says. A request's fields are in `request` of its
// head, where no name of theirs is one of the head; its answer has the same `id`.
import { answer } from './frames.mjs';
import { files } from './files.mjs';
import { kept } from './kept.mjs';
import { layLinks } from './links.mjs';
import { site } from './site.mjs';
import { trees } from './trees.mjs';

await answer(process.argv[2] ?? '/tenant', { ...files, ...trees, ...site, ...kept, layLinks });
