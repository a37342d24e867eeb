import type { Reporter, TestModule } from 'vitest/node';
import { missing, packagesOf } from './tools.js';

/** Ends a run with one line that lists the skipped tests by what they need, and the command that installs it. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const counts = missing
      .map((tag) => ({ tag, count: skipped.filter((test) => test.tags.includes(tag)).length }))
      .filter(({ count }) => count > 0);
    if (counts.length === 0) return;
    const packages = packagesOf(counts.map(({ tag }) => tag));
    const list = counts.map(({ tag, count }) => `${tag} (${count})`).join(', ');
    const command = packages.length > 0 ? ` Install: apt-get install -y ${packages.join(' ')}` : '';
    process.stdout.write(`\nSkipped tests, by what this machine lacks: ${list}.${command}\n`);
  }
}
