import type { ChosenFile } from '../model/license.js';

/** The made-up licenses of the demo, the only ones that its stand-in for ring can read. */
const SAMPLES = import.meta.glob<string>('../../../../scripts/demo-ring/samples/*.lic', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const exampleFiles = (): ChosenFile[] =>
  Object.entries(SAMPLES).map(([path, text]) => ({
    file: new File([text], path.replace(/^.*\//, '')),
    folder: '',
  }));
