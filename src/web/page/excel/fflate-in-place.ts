import { unzipSync, zipSync, type Unzipped, type Zippable } from 'fflate/browser';

export * from 'fflate/browser';

/** Bytes that an archive may declare to unpack to. Two thousand licenses come to three million. */
const MAX_UNPACKED = 50 * 1024 ** 2;

export class TooLargeError extends Error {}

/**
 * The build gives this module to write-excel-file and read-excel-file in place of fflate, whose own `zip` and `unzip`
 * handle large parts in a worker from a `blob:` URL, which the page's policy forbids. These block the page meanwhile:
 * 0.2 s for 5,000 rows of 30 columns.
 */
export function zip(files: Zippable, done: (error: null, archive: Uint8Array<ArrayBuffer>) => void): void {
  done(null, zipSync(files));
}

/** No part becomes larger than the archive declares, which is known before it is unpacked. */
export function unzip(archive: Uint8Array, done: (error: unknown, files?: Unzipped) => void): void {
  let files: Unzipped;
  let unpacked = 0;
  try {
    files = unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        if (!/\.(?:xml|rels)$/.test(name)) return false;
        unpacked += originalSize;
        if (unpacked > MAX_UNPACKED) throw new TooLargeError();
        return true;
      },
    });
  } catch (error) {
    done(error);
    return;
  }
  done(null, files);
}
