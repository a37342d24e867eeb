import type { Feature } from 'write-excel-file/browser';
import {
  getOrderOfSiblings,
  insertElementMarkupAccordingToOrderOfSiblings as insertInOrder,
} from 'write-excel-file/utility';

/** A tab whose headers have filters. */
export interface FilteredTab {
  name: string;
  /** As Excel counts rows. */
  headerRow: number;
  /** From the headers to the last row that a filter may hide, such as `A1:H13`. */
  area: string;
}

const SHEET = 'xl/worksheets/sheet{id}.xml';

/**
 * What write-excel-file cannot do: filters in the headers, no green triangles at numbers that are meant as text, and pages
 * of A4 that are one sheet wide, have lines and repeat the headers.
 * @param tabs all of the workbook, in its order
 */
export function filtersAndPages(tabs: readonly FilteredTab[]): Feature<Blob | ArrayBuffer> {
  const names = tabs.map(definedNames).join('');
  return {
    files: {
      transform: {
        [SHEET]: {
          transform: (xml, _options, { sheetIndex }) => {
            const tab = tabs[sheetIndex];
            return tab ? withFilter(xml, tab) : xml;
          },
          transformElementAttributes: pageAttributes,
        },
        'xl/workbook.xml': {
          transform: (xml) => xml.replace('<definedNames/>', `<definedNames>${names}</definedNames>`),
        },
      },
    },
  };
}

function withFilter(xml: string, { area }: FilteredTab): string {
  const elements = [
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
    `<autoFilter ref="${area}"/>`,
    '<printOptions gridLines="1"/>',
    `<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors>`,
  ];
  const order = getOrderOfSiblings(SHEET, 'worksheet') ?? [];

  let filtered = xml;
  for (const element of elements) filtered = insertInOrder(filtered, element, order, 'worksheet');
  return filtered;
}

function pageAttributes(element: string, attributes: Record<string, string | number>) {
  if (element === 'pageMargins') return { ...attributes, left: 0.4, right: 0.4 };
  // The paper size 9 is A4. A height of 0 means as many pages as it takes.
  if (element === 'pageSetup') return { ...attributes, paperSize: 9, fitToHeight: 0 };
  return attributes;
}

/** LibreOffice shows a filter only with its defined name. */
function definedNames({ name, headerRow, area }: FilteredTab, index: number): string {
  // A name needs absolute places: `A1:B9` becomes `$A$1:$B$9`.
  const absoluteArea = area.replace(/[A-Z]+|\d+/g, (part) => `$${part}`);
  const headers = `$${headerRow}:$${headerRow}`;
  return (
    `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">'${name}'!${absoluteArea}</definedName>` +
    `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">'${name}'!${headers}</definedName>`
  );
}
