/** The made-up licenses of the demo, the only ones that its stand-in for ring can read. */
const SAMPLES = import.meta.glob<string>('../../../../scripts/demo-ring/samples/*.lic', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const exampleFiles = () =>
  Object.entries(SAMPLES).map(([path, text]) => new File([text], path.replace(/^.*\//, '')));
