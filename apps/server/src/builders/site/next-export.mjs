// `next-export`: makes a project of Next.js write a static site, as the setting `output: 'export'` does, whatever form its
// settings have. It runs inside the sandbox, in the project's Node, with nothing but what is in the checkout.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** As Next.js looks for them: the first counts. */
const NAMES = ['next.config.js', 'next.config.mjs', 'next.config.ts', 'next.config.mts'];
/** What follows `next.config.` in the name of the file that holds the settings of the project from then on. */
const GIVEN = 'given';

/** Takes the settings of the project and answers those of a static site; as text, since it becomes a part of a file. */
const EXPORTED = `const exported = (config) => {
  const { images, ...others } = config ?? {};
  const ownLoader = images?.loader !== undefined && images.loader !== 'default';
  // Pictures are resized by a server, which a static site has not.
  return { ...others, output: 'export', images: ownLoader ? images : { ...images, unoptimized: true } };
};
const settings =
  typeof given === 'function' ? async (...about) => exported(await given(...about)) : given instanceof Promise ? given.then(exported) : exported(given);
`;

/** @param {string} text */
function tell(text) {
  process.stdout.write(`next-export: ${text}\n`);
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Whether a file of settings is a module of ECMAScript, by its name, else as Node tells.
 * @param {string} name
 */
function isModule(name) {
  if (!name.endsWith('.js')) return true;
  return (
    readJson('package.json')?.type === 'module' || /^\s*export\s+default\b/m.test(readFileSync(name, 'utf8'))
  );
}

/** @param {string} name */
function wrap(name) {
  const given = name.replace('config.', `config.${GIVEN}.`);
  renameSync(name, given);
  // Names of files in TypeScript are imported without their ending.
  const place = `./${given.replace(/\.m?ts$/, '')}`;
  const text = isModule(given)
    ? `import given from '${place}';\n${EXPORTED}export default settings;\n`
    : `const module_ = require('${place}');\nconst given = module_?.__esModule ? module_.default : module_;\n${EXPORTED}module.exports = settings;\n`;
  writeFileSync(name, name.endsWith('ts') ? `// @ts-nocheck\n${text}` : text);
  tell(`${name} asks for a static site (output: 'export') in this build; what it had is in ${given}.`);
}

const version = readJson('node_modules/next/package.json')?.version;
const [major = 0, minor = 0] = String(version ?? '')
  .split('.')
  .map(Number);
const given = NAMES.map((name) => name.replace('config.', `config.${GIVEN}.`));
// The first release with the setting is 13.3: https://nextjs.org/blog/next-13-3
if (version !== undefined && (major < 13 || (major === 13 && minor < 3))) {
  tell(`Next.js ${version} does not know output: 'export': add 'next export' to the script that builds.`);
} else if (!given.some((name) => existsSync(name))) {
  const name = NAMES.find((one) => existsSync(one));
  if (name !== undefined) wrap(name);
  else {
    writeFileSync('next.config.mjs', `const given = {};\n${EXPORTED}export default settings;\n`);
    tell("next.config.mjs asks for a static site (output: 'export') in this build.");
  }
}
