import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Prints the copyright and license of every npm package in the image: those that the service needs at run time, and
 * those that are built into the pages. Runs in a directory with package-lock.json, node_modules and src.
 */

// Swagger UI names the packages that are in its bundle in a file beside it.
const LICENSE_FILE = /^(licen[cs]e|notice|copying)|es-bundle\.js\.LICENSE/i;
const PREFIX = 'node_modules/';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const included = new Set();

/** Adds a package with everything that it depends on. What is not in the lock file is a module of Node.js. */
function include(path) {
  const locked = packages[path];
  if (!locked || included.has(path)) return;
  included.add(path);
  for (const name of Object.keys(locked.dependencies ?? {})) include(PREFIX + name);
}

for (const [path, { dev }] of Object.entries(packages)) {
  const isProject = path === '';
  if (!isProject && !dev) included.add(path);
}
for (const file of globSync('src/web/**/*.{ts,tsx}')) {
  const imports = readFileSync(file, 'utf8').matchAll(/from '((?:@[\w-]+\/)?[\w.-]+)/g);
  for (const [, name] of imports) include(PREFIX + name);
}

console.log(`Third-party software in this image, besides the npm packages below:

Node.js            /usr/local/LICENSE
Java               /opt/java/openjdk/legal
Debian packages    /usr/share/doc/*/copyright`);

/** The license texts of a package. Some packages state their license in package.json only. */
function textsOf(directory, { name, author }) {
  const files = readdirSync(directory).filter((file) => LICENSE_FILE.test(file));
  if (files.length === 0) {
    const holder = author?.name ?? author ?? `the authors of ${name}`;
    return `Copyright ${holder}`;
  }
  const texts = files.map((file) => readFileSync(join(directory, file), 'utf8').trim());
  return texts.join('\n\n');
}

for (const directory of [...included].sort()) {
  const description = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const { name, version, license } = description;
  console.log(`\n${'='.repeat(80)}\n${name} ${version}: ${license}\n`);
  console.log(textsOf(directory, description));
}
