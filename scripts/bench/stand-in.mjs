import { execFileSync } from 'node:child_process';
import { createCipheriv, pbkdf2Sync } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where scripts for many JREs put Debian's library packages, and where those packages put their jars. */
const JARS = ['/opt/jdks/jars/usr/share/java', '/usr/share/java'];
const INSTALL =
  'Install libbcprov-java libjackson2-databind-java liblogback-java libyaml-snake-java (Debian).';
const LIBRARIES = {
  lib: ['logback-classic', 'logback-core', 'slf4j-api', 'snakeyaml'],
  module: ['bcprov', 'jackson-databind', 'jackson-core', 'jackson-annotations'],
};

/**
 * Builds the stand-in for ring: jars of Java 8 bytecode behind a shell launcher.
 * @returns the launcher's path
 */
export function buildRing(directory) {
  const home = join(directory, 'ring');
  cpSync(join(import.meta.dirname, 'ring'), home, { recursive: true });
  for (const [folder, names] of Object.entries(LIBRARIES)) {
    mkdirSync(join(home, folder));
    for (const name of names) {
      const jar = JARS.map((path) => join(path, `${name}.jar`)).find((path) => existsSync(path));
      if (!jar) throw new Error(`No ${name}.jar. ${INSTALL}`);
      copyFileSync(jar, join(home, folder, `${name}.jar`));
    }
  }
  const classes = join(home, 'classes');
  const sources = ['Ring.java', 'License.java'].map((name) => join(home, name));
  const options = ['--release', '8', '-nowarn', '-Xlint:-options', '-encoding', 'UTF-8', '-d', classes];
  execFileSync('javac', [...options, '-cp', `${home}/lib/*:${home}/module/*`, ...sources]);
  const jar = (path, ...content) => execFileSync('jar', ['cf', join(home, path), ...content]);
  jar('lib/ring.jar', '-C', classes, 'Ring.class', '-C', home, 'logging.xml');
  jar('module/license.jar', '-C', classes, 'License.class');
  return join(home, 'ring');
}

/** Encrypts a permit as the stand-in's license module reads it. */
export function sealLicense() {
  const owner = { Имя: 'Иван', Фамилия: 'Иванов', Компания: 'ООО "Ромашка"', Город: 'Тула г', Дом: '99' };
  const permit = { pin: '332588056123456', made: '2017-10-18T00:00:00', owner, computer: 'x'.repeat(1500) };
  const salt = Buffer.alloc(28, 'bench');
  const key = pbkdf2Sync('bench', salt.subarray(0, 16), 1000, 16, 'sha256');
  const cipher = createCipheriv('aes-128-gcm', key, salt.subarray(16));
  const sealed = [cipher.update(JSON.stringify(permit)), cipher.final(), cipher.getAuthTag()];
  return Buffer.from(Buffer.concat([salt, ...sealed]).toString('base64'));
}

/**
 * Makes a ring that takes 0.2 s for each command and costs next to nothing.
 * @returns the launcher's path
 */
export function makeTimedRing(directory) {
  const path = join(directory, 'timed-ring');
  const script = `#!/bin/sh
case "$*" in
  --version) echo 0.19.5-12 ;;
  *) sleep 0.2; echo 332588056123456-8100123456 ;;
esac
`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}
