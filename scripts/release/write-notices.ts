// `npm run notices`: writes dist/sbom.cdx.json and dist/THIRD-PARTY-NOTICES.txt, or says which licence is not allowed.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../steps/project.mjs';
import { writePapers } from './papers.ts';

const folder = path.join(root, 'dist');
await mkdir(folder, { recursive: true });
console.log(await writePapers(folder));
