import { daysBetween } from '../model/day.js';
import { isExpired } from '../model/facts.js';
import type { License } from '../model/license.js';
import { pathOf, type Place } from '../model/place.js';
import { URGENT_DAYS } from '../model/tiles.js';
import { rowTexts } from './row-texts.js';
import { waitInDays } from '../texts/format.js';
import { language, t } from '../texts/language.js';
import type { TextKey } from '../texts/texts.js';
import { CopyButton } from './copy-button.js';
import { useModel } from './use-model.js';
import { Button } from './controls.js';

/** Of hundreds of copies a row shows the first ones, and the details do. */
const MAX_PATHS = { row: 3, details: 100 };

/** Breaks before the name of the file. */
const Path = ({ place: { folder, name } }: { place: Place }) => (
  <bdi>
    {folder && <span class="folder">{folder}/</span>}
    <wbr />
    {name}
  </bdi>
);

export const Paths = ({ places }: { places: readonly Place[] }) => (
  <>
    {places.length > 1 && `${t('fileCount', { count: places.length })}: `}
    {places.slice(0, MAX_PATHS.row).map((place, index) => [index > 0 && ', ', <Path place={place} />])}
    {places.length > MAX_PATHS.row && ', …'}
  </>
);

export const PathList = ({ places }: { places: readonly Place[] }) => (
  <>
    {places.slice(0, MAX_PATHS.details).map((place) => (
      <div key={pathOf(place)} class="path">
        <Path place={place} /> <CopyButton text={() => pathOf(place)} name={pathOf(place)} />
      </div>
    ))}
    {places.length > MAX_PATHS.details && `… ${t('fileCount', { count: places.length })}`}
  </>
);

export interface RelationsProps {
  /** Whether it is known that another license counts in its place. */
  isReplaced: boolean;
  /** What counts in its place, of two contents of one license. */
  twin: License | undefined;
  /** The license that replaced it, and the one that it replaced. */
  successor: License | undefined;
  predecessor: License | undefined;
  tabIndex?: number;
}

/** Of a license and the one that replaced it each leads to the other, where both are known. */
export function Relations({ isReplaced, twin, successor, predecessor, tabIndex = 0 }: RelationsProps) {
  const { list } = useModel();
  const link = (text: TextKey, other: License, name: string) => (
    <>
      {' '}
      <Button class="mark" text={t(text, { name })} tabIndex={tabIndex} onClick={() => list.goTo(other)} />
    </>
  );
  return (
    <>
      {successor && link('replacedBy', successor, rowTexts(successor).pin)}
      {twin && link('sameLicense', twin, twin.places.value[0] ? pathOf(twin.places.value[0]) : '')}
      {isReplaced && !successor && !twin && [' ', <span class="mark">{t('replacedMark')}</span>]}
      {predecessor && link('replaces', predecessor, rowTexts(predecessor).pin)}
    </>
  );
}

/** Days before its end in which a license should be thought of. */
const SOON_DAYS = 90;

/** The day on which a license expires, and how far that is while it counts. */
export function Term({ license, isOver }: { license: License; isOver: boolean }) {
  const { list } = useModel();
  const { known } = license;
  const today = list.today.value;
  const { validUntil } = rowTexts(license);
  if (known.validUntil === null) {
    const isRead = license.state.name === 'done';
    return validUntil || !isRead ? <>{validUntil}</> : <span class="mark far">{t('termNotStated')}</span>;
  }
  const days = daysBetween(today, known.validUntil);
  const kind = days <= URGENT_DAYS ? 'urgent' : days <= SOON_DAYS ? 'soon' : 'far';
  return (
    <>
      <span class="unbroken">{validUntil}</span>
      {!isOver && [
        ' ',
        <span class={`mark ${kind}`}>
          {isExpired(known, today) ? t('expiredMark') : waitInDays(days, language.value)}
        </span>,
      ]}
    </>
  );
}
