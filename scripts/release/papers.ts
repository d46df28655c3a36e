import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { billOfMaterials, foreignComponents } from './bill-of-materials.ts';
import { noticesOf } from './notices.ts';

/**
 * Writes the bill of materials and the notices of others into a folder.
 * @returns a line that says what was written
 * @throws LicenceError when a component has a licence that is not allowed
 */
export async function writePapers(folder: string): Promise<string> {
  const bill = billOfMaterials();
  const components = foreignComponents(bill);
  const notices = noticesOf(components);
  await writeFile(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  await writeFile(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), notices);
  return `sbom.cdx.json and THIRD-PARTY-NOTICES.txt: ${components.length} components of others, all licences allowed.`;
}
