import { FILE_LABELS } from '../../src/license/file-fields.js';
import { INFO_LABELS } from '../../src/license/info-fields.js';
import { CUSTOMER_MARKER, LICENSE_MARKER, MACHINE_MARKER } from '../../src/ring/output/log-records.js';
import { transcript } from './fake-ring.js';

/** Every word by which the texts about a license are read, in one line, for an owner of such a name. */
export const CONTRACT_WORDS = [
  ...[LICENSE_MARKER, MACHINE_MARKER, CUSTOMER_MARKER, 'pin previous pin', ...INFO_LABELS, ...FILE_LABELS],
  ...['info-one', 'validate-mismatch', 'list-one'].flatMap((name) => [
    transcript(`${name}-ru.txt`),
    transcript(`${name}-en.txt`),
  ]),
]
  .flatMap((text) => text.match(/[\p{L}.-]+/gu))
  .join(' ');
