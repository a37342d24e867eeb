import type { License } from '../model/license.js';
import { pathOf, type Place } from '../model/state.js';
import { t } from '../texts/language.js';
import { Button } from '../ui/controls.js';
import { CopyButton } from '../ui/copy-button.js';
import { newerText, replacementText, rowTexts } from './row-texts.js';
import { useStore } from '../ui/use-store.js';

/** Breaks before the name of the file. */
const Path = ({ place: { folder, name } }: { place: Place }) => (
  <bdi>
    {folder && [<span class="folder">{folder}/</span>, <wbr />]}
    {name}
  </bdi>
);

export function PathList({ places }: { places: readonly Place[] }) {
  return (
    <>
      {places.map((place, index) => (
        // Files of two servers may have the same path.
        <div key={index} class="path">
          <Path place={place} />{' '}
          {place.folder && (
            <CopyButton text={() => pathOf(place)} label={t('copyPath', { path: pathOf(place) })} />
          )}
        </div>
      ))}
    </>
  );
}

/** What a license has to do with others of the list, with links to these. */
export function OtherLicenses({ license }: { license: License }) {
  const { view } = useStore();
  const { isPreviousCopy, replacement, predecessor, newer, maybeReplaced } = view.assessmentOf(license);
  const { registrationNumber } = rowTexts(license);
  return (
    <p>
      {isPreviousCopy && t('previousCopyHint')}
      {replacement && <LinkTo license={replacement.by} text={replacementText(replacement)} />}
      {predecessor && (
        <LinkTo license={predecessor} text={t('replaces', { name: rowTexts(predecessor).pin })} />
      )}
      {newer && <LinkTo license={newer} text={newerText(newer)} />}
      {maybeReplaced && (
        <>
          {' '}
          <Button
            class="mark"
            text={t('maybeReplacedHint')}
            onClick={() => view.showAll(registrationNumber)}
          />
        </>
      )}
    </p>
  );
}

function LinkTo({ license, text }: { license: License; text: string }) {
  const { view } = useStore();
  return (
    <>
      {' '}
      <Button class="mark" text={text} onClick={() => view.goTo(license)} />
    </>
  );
}
