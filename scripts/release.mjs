import { execFileSync } from 'node:child_process';
import { readArguments } from './arguments.mjs';

/*
 * Says what a release publishes, as lines for GITHUB_OUTPUT; with --notes its section of CHANGELOG.md. Reads the commit
 * of the tag, by default of the highest version, and fails when its files disagree with the tag or with GITHUB_REPOSITORY.
 */

const USAGE = 'node scripts/release.mjs [--notes] [TAG]';
const VERSION_TAG = /^v\d+\.\d+\.\d+$/;

function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    throw new Error(`git ${args[0]} failed. Run this in a clone of the repository that has its tags.`);
  }
}

const require = (condition, problem) => {
  if (!condition) throw new Error(problem);
};

/** The text below the heading of a version, up to the next one. */
function sectionOf(changelog, version) {
  const [, section = ''] = changelog.split(`\n## [${version}] - `);
  return section.replace(/^.*\n/, '').split('\n## ', 1).join().trim();
}

function release(tag, newest) {
  require(VERSION_TAG.test(tag), `The tag ${tag} is no version such as v1.2.3.`);
  const version = tag.slice(1);
  const read = (path) => git('show', `${tag}:${path}`);
  const packageJson = JSON.parse(read('package.json'));
  require(packageJson.version ===
    version, `package.json has version ${packageJson.version}, the tag is ${tag}.`);
  const lock = JSON.parse(read('package-lock.json'));
  require(lock.version === version, `package-lock.json has version ${lock.version}, the tag is ${tag}.`);
  const notes = sectionOf(read('CHANGELOG.md'), version);
  require(notes, `CHANGELOG.md has no section "## [${version}] - <date>".`);

  const { image } = packageJson.config;
  const repository = process.env.GITHUB_REPOSITORY?.toLowerCase();
  require(!repository ||
    image ===
      `ghcr.io/${repository}`, `package.json names the image ${image}, this repository publishes ghcr.io/${repository}.`);
  const minor = version.replace(/\.\d+$/, '');
  return {
    notes,
    outputs: {
      tag,
      version,
      revision: git('rev-parse', `${tag}^{commit}`).trim(),
      image,
      // A fix of an older version must not replace a newer one.
      'image-tags': [version, minor, ...(tag === newest ? ['latest'] : [])].join(' '),
      'demo-tags': tag === newest ? 'demo' : '',
    },
  };
}

const config = { options: { notes: { type: 'boolean' } }, allowPositionals: true };
const { onlyNotes, given } = readArguments(USAGE, config, ({ values, positionals: [tag, ...more] }) => {
  if (more.length > 0) throw new Error('Only one tag can be published.');
  return { onlyNotes: values.notes, given: tag };
});
try {
  const tags = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n');
  const newest = tags.find((tag) => VERSION_TAG.test(tag));
  const tag = given || newest;
  if (!tag) console.error('Nothing to publish: there is no tag such as v1.2.3.');
  else {
    require(tags.includes(tag), `There is no tag ${tag}.`);
    const { notes, outputs } = release(tag, newest);
    const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}`);
    console.log(onlyNotes ? notes : lines.join('\n'));
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
