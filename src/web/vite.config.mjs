import { defineConfig } from 'vite';

/** Builds the pages into dist/web/static, where routes.ts serves them. */
export default defineConfig({
  root: import.meta.dirname,
  // For write-excel-file; see there.
  resolve: {
    alias: [{ find: /^fflate$/, replacement: `${import.meta.dirname}/page/excel/fflate-in-place.ts` }],
  },
  plugins: [
    {
      // Vite's own loads style sheets and scripts that a chunk needs besides; no chunk does.
      name: 'plain-imports',
      enforce: 'pre',
      load: (id) =>
        id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined,
    },
  ],
  // The tests, which run with another NODE_ENV, build what is shipped.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  // A proxy may serve the pages below a path that the service does not see. So a page names its files by their way from
  // its own address, which routes.ts fills in, and scripts load others from beside them.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `{{root}}${file}` : { relative: true }),
  },
  build: {
    outDir: '../../dist/web/static',
    emptyOutDir: true,
    // The oldest browsers that the page is built for. README names them too.
    target: ['chrome114', 'firefox125', 'safari17.4'],
    // The pages' policies allow no inline scripts, and the first page's no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: false,
    // Kilobytes: Swagger UI is one large file.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: ['index.html', 'docs.html', 'not-found.html'].map((name) => `${import.meta.dirname}/${name}`),
    },
  },
});
