import type { Feature } from 'write-excel-file/browser';
import {
  getOrderOfSiblings,
  insertElementMarkupAccordingToOrderOfSiblings as insertInOrder,
} from 'write-excel-file/utility';

const SHEET = 'xl/worksheets/sheet{id}.xml';

/**
 * What write-excel-file cannot do: filters in the headers, and no green triangles at numbers that are meant as text.
 * @param name that of the sheet
 * @param area from the headers to the last row, such as `A2:N12`
 */
export function sheetFeatures(name: string, area: string): Feature<Blob | ArrayBuffer> {
  // A name needs absolute places: `A1:B9` becomes `$A$1:$B$9`.
  const absoluteArea = area.replace(/[A-Z]+|\d+/g, (part) => `$${part}`);
  // LibreOffice shows a filter only with its defined name.
  const filter = `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${name}'!${absoluteArea}</definedName>`;
  return {
    files: {
      transform: {
        [SHEET]: { transform: (xml) => withFilter(xml, area) },
        'xl/workbook.xml': {
          transform: (xml) => xml.replace('<definedNames/>', `<definedNames>${filter}</definedNames>`),
        },
      },
    },
  };
}

function withFilter(xml: string, area: string): string {
  const order = getOrderOfSiblings(SHEET, 'worksheet') ?? [];
  const filter = `<autoFilter ref="${area}"/>`;
  const errors = `<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors>`;
  const filtered = insertInOrder(xml, filter, order, 'worksheet');
  return insertInOrder(filtered, errors, order, 'worksheet');
}
