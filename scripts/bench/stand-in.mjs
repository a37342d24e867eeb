import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname;
/** Where Debian's packages liblogback-java and libyaml-snake-java put their jars. */
const JARS = '/usr/share/java';
const LIBRARIES = ['logback-classic.jar', 'logback-core.jar', 'slf4j-api.jar', 'snakeyaml.jar'];

/**
 * Builds the JVM tool of the bench as a jar, behind its launcher.
 * @returns the launcher's path
 */
export function buildJvmRing(directory) {
  for (const library of LIBRARIES) {
    if (!existsSync(join(JARS, library)))
      throw new Error(`There is no ${library}: install Debian's liblogback-java and libyaml-snake-java.`);
    copyFileSync(realpathSync(join(JARS, library)), join(directory, library));
  }
  const classes = join(directory, 'classes');
  mkdirSync(classes);
  const classPath = LIBRARIES.map((library) => join(directory, library)).join(':');
  execFileSync('javac', [
    '--release',
    '8',
    '-Xlint:-options',
    '-encoding',
    'UTF-8',
    '-cp',
    classPath,
    '-d',
    classes,
    join(HERE, 'BenchRing.java'),
  ]);
  for (const resource of ['logging.xml', 'ring-commands.cfg'])
    copyFileSync(join(HERE, resource), join(classes, resource));
  const manifest = join(directory, 'manifest');
  writeFileSync(manifest, `Main-Class: BenchRing\nClass-Path: ${LIBRARIES.join(' ')}\n`);
  execFileSync('jar', ['cfm', join(directory, 'ring.jar'), manifest, '-C', classes, '.']);
  copyFileSync(join(HERE, 'ring'), join(directory, 'ring'));
  return join(directory, 'ring');
}

/**
 * Makes a ring that takes a fixed time for each command and costs next to nothing.
 * @param seconds by command
 * @returns the launcher's path
 */
export function makeSlowRing(directory, { list, info, validate }) {
  const path = join(directory, 'slow-ring');
  writeFileSync(
    path,
    `#!/bin/sh
case "$*" in
  --version) echo 0.19.5-12 ;;
  *"license list"*) sleep ${list}; echo 332588056123456-8100123456 ;;
  *"license info"*) sleep ${info}; echo 'Customer information:' ;;
  *"license validate"*) sleep ${validate}; echo 'License check failed.'; exit 1 ;;
esac
`,
    { mode: 0o755 },
  );
  return path;
}
