import { execFileSync } from 'node:child_process';
import { readArguments } from './arguments.mjs';

/*
 * Prints what a release publishes, as lines for GITHUB_OUTPUT; with --notes its section of CHANGELOG.md. It reads the
 * commit of the tag, by default that of the highest version, and fails when the files there disagree with the tag or with
 * GITHUB_REPOSITORY.
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

/** The text below the heading of a version, up to the next one; empty when no section has this version and a date. */
function sectionOf(changelog, version) {
  const [, fromDate = ''] = changelog.split(`\n## [${version}] - `);
  const [section] = fromDate.split('\n## ', 1);
  const [, text = ''] = section.split(/^\d{4}-\d\d-\d\d\n/);
  return text.trim();
}

/** What the files of a tag's commit say of its version. */
function readVersion(tag) {
  const read = (path) => git('show', `${tag}:${path}`);
  const version = tag.slice(1);
  const packageJson = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));
  return {
    version,
    versionOfPackage: packageJson.version,
    versionOfLock: lock.version,
    image: packageJson.config.image,
    notes: sectionOf(read('CHANGELOG.md'), version),
  };
}

/** @throws {Error} when the files disagree with the tag or with the repository that publishes */
function checkVersion(tag, { version, versionOfPackage, versionOfLock, image, notes }) {
  if (versionOfPackage !== version) {
    throw new Error(`package.json has version ${versionOfPackage}, the tag is ${tag}.`);
  }
  if (versionOfLock !== version) {
    throw new Error(`package-lock.json has version ${versionOfLock}, the tag is ${tag}.`);
  }
  if (notes === '') {
    throw new Error(`CHANGELOG.md has no section "## [${version}] - " with the date of the release.`);
  }

  const repository = process.env.GITHUB_REPOSITORY?.toLowerCase();
  // Only GitHub sets it. Elsewhere there is nothing to compare the image with.
  if (!repository) return;
  const published = `ghcr.io/${repository}`;
  if (image !== published) {
    throw new Error(`package.json names the image ${image}, this repository publishes ${published}.`);
  }
}

/** The lines for GITHUB_OUTPUT. */
function outputsOf(tag, newest, { version, image }) {
  const minor = version.replace(/\.\d+$/, '');
  const imageTags = [version, minor];
  let demoTags = '';
  // A fix of an older version must not replace a newer one.
  if (tag === newest) {
    imageTags.push('latest');
    demoTags = 'demo';
  }
  return [
    `tag=${tag}`,
    `version=${version}`,
    `revision=${git('rev-parse', `${tag}^{commit}`).trim()}`,
    `image=${image}`,
    `image-tags=${imageTags.join(' ')}`,
    `demo-tags=${demoTags}`,
  ];
}

function main({ onlyNotes, given }) {
  const tags = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n');
  const newest = tags.find((tag) => VERSION_TAG.test(tag));
  const tag = given || newest;
  if (!tag) {
    console.error('Nothing to publish: there is no tag such as v1.2.3.');
    return;
  }
  if (!tags.includes(tag)) throw new Error(`There is no tag ${tag}.`);
  if (!VERSION_TAG.test(tag)) throw new Error(`The tag ${tag} is no version such as v1.2.3.`);

  const content = readVersion(tag);
  checkVersion(tag, content);
  console.log(onlyNotes ? content.notes : outputsOf(tag, newest, content).join('\n'));
}

const config = { options: { notes: { type: 'boolean' } }, allowPositionals: true };
const settings = readArguments(USAGE, config, ({ values, positionals }) => {
  if (positionals.length > 1) throw new Error('Only one tag can be published.');
  return { onlyNotes: values.notes, given: positionals[0] };
});
try {
  main(settings);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
