import type { License } from '../model/license.js';
import { pathOf, type Place } from '../model/state.js';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { CopyButton } from '../ui/copy-button.js';
import { laterText, rowTexts } from './row-texts.js';
import { useStore } from '../ui/use-store.js';

/** A license may have hundreds of copies. The details show only the first ones. */
const MAX_PATHS = 100;

/** Breaks before the name of the file. */
const Path = ({ place: { folder, name } }: { place: Place }) => (
  <bdi>
    {folder && [<span class="folder">{folder}/</span>, <wbr />]}
    {name}
  </bdi>
);

export function PathList({ places }: { places: readonly Place[] }) {
  const first = places.slice(0, MAX_PATHS);
  return (
    <>
      {first.map((place, index) => (
        // Files of two servers may have the same path.
        <div key={index} class="path">
          <Path place={place} />{' '}
          {place.folder && (
            <CopyButton text={() => pathOf(place)} label={t('copyPath', { path: pathOf(place) })} />
          )}
        </div>
      ))}
      {places.length > first.length && `… ${t('fileCount', { count: places.length })}`}
    </>
  );
}

export interface RelationsProps {
  /** What counts in its place, of two contents of one license. */
  betterVersion: License | undefined;
  /** What was read in its place, if its own file is damaged. */
  intactCopy: License | undefined;
  /** What was produced later for the same computer. */
  later: License | undefined;
  /** The license that replaced it, and the one that it replaced. */
  successor: License | undefined;
  predecessor: License | undefined;
}

/** Links between a license and the one that replaced it. */
export function Relations({ betterVersion, intactCopy, later, successor, predecessor }: RelationsProps) {
  const { view } = useStore();
  const link = (text: string, other: License) => (
    <>
      {' '}
      <Button class="mark" text={text} onClick={() => view.goTo(other)} />
    </>
  );
  const pathIn = ({ places }: License) => places.slice(0, 1).map(pathOf).join('');
  return (
    <>
      {successor && link(t('replacedBy', { name: rowTexts(successor).pin }), successor)}
      {betterVersion && link(t('sameLicense', { name: pathIn(betterVersion) }), betterVersion)}
      {intactCopy && link(t('intactCopy', { name: pathIn(intactCopy) }), intactCopy)}
      {predecessor && link(t('replaces', { name: rowTexts(predecessor).pin }), predecessor)}
      {later && link(laterText(later), later)}
    </>
  );
}
