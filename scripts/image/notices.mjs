import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Prints the copyright and license of every npm package in the image: those that the service needs at run time.
 * Runs in a directory with package-lock.json and node_modules.
 */

const LICENSE_FILE = /^(licen[cs]e|notice|copying)/i;

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const directories = Object.keys(packages).filter((path) => path && !packages[path].dev);

console.log(`Third-party software in this image, besides the npm packages below:

Node.js            /usr/local/LICENSE
Java               /opt/java/openjdk/legal
Debian packages    /usr/share/doc/*/copyright`);

for (const directory of directories) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  );
  const files = readdirSync(directory).filter((file) => LICENSE_FILE.test(file));
  const texts = files.map((file) => readFileSync(join(directory, file), 'utf8').trim());
  console.log(`\n${'='.repeat(80)}\n${name} ${version}: ${license}\n`);
  // Some packages state their license in package.json only.
  console.log(texts.join('\n\n') || `Copyright ${author?.name ?? author ?? `the authors of ${name}`}`);
}
