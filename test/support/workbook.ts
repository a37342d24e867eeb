import { strFromU8, unzipSync } from 'fflate';

/** The texts in all parts of a workbook, as XML. */
export async function partsOf(workbook: Blob): Promise<Record<string, string>> {
  const files = unzipSync(new Uint8Array(await workbook.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

const unescape = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The cells of the first tab that are not empty, by row and by column such as `A`. */
export async function rowsOf(workbook: Blob): Promise<Map<string, string | number>[]> {
  const parts = await partsOf(workbook);
  const shared = Array.from((parts['xl/sharedStrings.xml'] ?? '').matchAll(/<t(?: [^>]*)?>([^<]*)<\/t>/g));
  const texts = shared.map(([, text = '']) => unescape(text));
  const rows = (parts['xl/worksheets/sheet1.xml'] ?? '').split('<row ').slice(1);
  return rows.map((row) => {
    const cells = row.matchAll(/<c ([^>]*)>(?:<f>[^<]*<\/f>)?<v>([^<]*)<\/v><\/c>/g);
    return new Map(
      Array.from(cells, ([, attributes = '', value = '']) => {
        const column = /r="([A-Z]+)/.exec(attributes)?.[1] ?? '';
        const isText = attributes.includes('t="s"');
        return [column, isText ? (texts[Number(value)] ?? '') : Number(value)];
      }),
    );
  });
}
