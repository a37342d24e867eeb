import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A file that the ring of {@link compileJvmRing} decodes; what is appended to it, it does. */
export const JVM_LICENSE = Buffer.from('bGljZW5zZQ==\nlicense of Ivanov\n');

/**
 * Compiles test/jvm-ring into a jar behind its launcher: classes are archived from jars only, which ring comes in.
 * @returns the launcher's path, in a directory of its own that the caller removes
 */
export function compileJvmRing(): { directory: string; launcher: string } {
  const directory = mkdtempSync(join(tmpdir(), 'ld-jvm-'));
  const launcher = join(directory, 'ring');
  cpSync(resolve(import.meta.dirname, '../jvm-ring'), directory, { recursive: true });
  mkdirSync(join(directory, 'classes'));
  execFileSync('javac', ['-encoding', 'UTF-8', '-d', 'classes', 'Ring.java'], { cwd: directory });
  execFileSync('jar', ['cf', 'ring.jar', '-C', 'classes', '.'], { cwd: directory });
  writeFileSync(launcher, readFileSync(launcher, 'utf8').replace('$here/classes', '$here/ring.jar'));
  return { directory, launcher };
}
