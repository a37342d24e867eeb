import { copyFile, mkdir, mkdtemp, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstanceDirectory } from '../storage/instance-directory.js';

/**
 * One decode's own directory, mode 0700. ring gets a directory with this one licence in it, for a broken
 * licence disturbs its commands on all others; what the JVM unpacks lies beside it.
 */
export interface Workspace {
  path: string;
  licenses: string;
  tmp: string;
}

/** The client's name of the file is never used on disk. */
const FILE_NAME = 'license.lic';

/** Makes a workspace and moves the uploaded file into it. */
export async function createWorkspace(base: InstanceDirectory, upload: string): Promise<Workspace> {
  const path = await mkdtemp(join(await base.ensure(), 'decode-'));
  const workspace = { path, licenses: join(path, 'licenses'), tmp: join(path, 'tmp') };
  try {
    await mkdir(workspace.licenses);
    await mkdir(workspace.tmp);
    await move(upload, join(workspace.licenses, FILE_NAME));
    return workspace;
  } catch (error) {
    await removeWorkspace(workspace);
    throw error;
  }
}

/** Removes the workspace; a process that is just dying may still write into it, so it is tried more than once. */
export async function removeWorkspace({ path }: Workspace): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await unlink(from);
  }
}
