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
      {replacement && <Link text={replacementText(replacement)} onClick={() => view.goTo(replacement.by)} />}
      {predecessor && (
        <Link
          text={t('replaces', { name: rowTexts(predecessor).pin })}
          onClick={() => view.goTo(predecessor)}
        />
      )}
      {newer && <Link text={newerText(newer)} onClick={() => view.goTo(newer)} />}
      {maybeReplaced && (
        <Link text={t('maybeReplacedHint')} onClick={() => view.showAll(registrationNumber)} />
      )}
    </p>
  );
}

const Link = ({ text, onClick }: { text: string; onClick: () => void }) => (
  <>
    {' '}
    <Button class="mark" text={text} onClick={onClick} />
  </>
);
