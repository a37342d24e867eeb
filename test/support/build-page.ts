import { execFileSync } from 'node:child_process';

/** The app serves the page as it was built: builds it, so that tests in process can't see an older one. */
export default function buildPage(): void {
  execFileSync('npx', ['vite', 'build', 'src/web', '--logLevel', 'warn'], { stdio: 'inherit' });
}
