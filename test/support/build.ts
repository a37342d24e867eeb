import { execFileSync } from 'node:child_process';

/** System tests run the built service: builds it, so that they can't run an older one. */
export default function build(): void {
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' });
}
