import type { Feature } from 'write-excel-file/browser';
import {
  getOrderOfSiblings,
  insertElementMarkupAccordingToOrderOfSiblings as insertInOrder,
} from 'write-excel-file/utility';

const SHEET = 'xl/worksheets/sheet{id}.xml';

interface TablePlace {
  /** The name of the sheet. */
  name: string;
  /** Counted from 1. */
  headerRow: number;
  /** Such as `N12`. */
  lastCell: string;
}

/**
 * What write-excel-file cannot do: filters in the headers, headers on each printed page, pages that all columns fit into,
 * and no green triangles at numbers that are meant as text.
 */
export function sheetFeatures({ name, headerRow, lastCell }: TablePlace): Feature<Blob | ArrayBuffer> {
  const area = `A${headerRow}:${lastCell}`;
  // A name needs absolute places: `A1:B9` becomes `$A$1:$B$9`.
  const absoluteArea = area.replace(/[A-Z]+|\d+/g, (part) => `$${part}`);
  const names = [
    // LibreOffice shows a filter only with its defined name.
    `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${name}'!${absoluteArea}</definedName>`,
    `<definedName name="_xlnm.Print_Titles" localSheetId="0">'${name}'!$${headerRow}:$${headerRow}</definedName>`,
  ];
  return {
    files: {
      transform: {
        [SHEET]: { transform: (xml) => withTable(xml, area) },
        'xl/workbook.xml': {
          transform: (xml) =>
            xml.replace('<definedNames/>', `<definedNames>${names.join('')}</definedNames>`),
        },
      },
    },
  };
}

function withTable(xml: string, area: string): string {
  const elements = [
    `<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`,
    `<autoFilter ref="${area}"/>`,
    `<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors>`,
  ];
  const order = getOrderOfSiblings(SHEET, 'worksheet') ?? [];
  const extended = elements.reduce((all, element) => insertInOrder(all, element, order, 'worksheet'), xml);
  // One page wide, and as many pages long as it takes.
  return extended.replace('<pageSetup ', '<pageSetup fitToHeight="0" ');
}
