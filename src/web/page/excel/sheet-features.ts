import type { Feature } from 'write-excel-file/browser';
import {
  getOrderOfSiblings,
  insertElementMarkupAccordingToOrderOfSiblings as insertInOrder,
} from 'write-excel-file/utility';

/** Where the parts of a sheet are. */
export interface Layout {
  /** That of the sheet. */
  name: string;
  /** As Excel counts rows. */
  headerRow: number;
  /**
   * From the headers to the last row and the last hidden column, such as `A6:N12`. It holds the hidden columns too, because
   * Excel sorts only what is within the area of the filter: outside of it, the numbers would stay while their rows move.
   */
  area: string;
  /** How many columns are shown; those after them are hidden. */
  shownColumns: number;
  sums: readonly Sum[];
}

/** A cell that Excel computes. */
export interface Sum {
  /** What stands beside it. */
  label: string;
  /** Such as `SUBTOTAL(109,J7:J12)`, which no other cell has. */
  formula: string;
  /** What it gives while all rows are shown. */
  value: number;
}

const SHEET = 'xl/worksheets/sheet{id}.xml';

/**
 * What write-excel-file cannot do: filters in the headers, hidden columns, the values of formulas for previews that compute
 * none, no green triangles at numbers that are meant as text, and pages of A4 that are one sheet wide, have lines and repeat
 * the headers.
 */
export function sheetFeatures(layout: Layout): Feature<Blob | ArrayBuffer> {
  const names = definedNames(layout);
  return {
    files: {
      transform: {
        [SHEET]: {
          transform: (xml) => withValues(withFilter(xml, layout), layout),
          transformElementAttributes: (element, attributes, index) =>
            attributesOf(element, attributes, index, layout),
        },
        'xl/workbook.xml': {
          transform: (xml) => xml.replace('<definedNames/>', `<definedNames>${names}</definedNames>`),
        },
      },
    },
  };
}

function withFilter(xml: string, { area }: Layout): string {
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

function withValues(xml: string, { sums }: Layout): string {
  let computed = xml;
  for (const { formula, value } of sums) {
    const cell = `<f>${formula}</f>`;
    computed = computed.replace(cell, `${cell}<v>${value}</v>`);
  }
  return computed;
}

type Attributes = Record<string, string | number>;

/** @param index the place of a column, from 0 */
function attributesOf(
  element: string,
  attributes: Attributes,
  index: number | undefined,
  { shownColumns }: Layout,
): Attributes {
  switch (element) {
    case 'col':
      return Number(index) < shownColumns ? attributes : { ...attributes, hidden: 1 };
    case 'pageMargins':
      return { ...attributes, left: 0.4, right: 0.4 };
    case 'pageSetup':
      // The paper size 9 is A4. A height of 0 means as many pages as it takes.
      return { ...attributes, paperSize: 9, fitToHeight: 0 };
    default:
      return attributes;
  }
}

/** LibreOffice shows a filter only with its defined name. */
function definedNames({ name, headerRow, area }: Layout): string {
  // A name needs absolute places: `A1:B9` becomes `$A$1:$B$9`.
  const absoluteArea = area.replace(/[A-Z]+|\d+/g, (part) => `$${part}`);
  const headers = `$${headerRow}:$${headerRow}`;
  return (
    `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${name}'!${absoluteArea}</definedName>` +
    `<definedName name="_xlnm.Print_Titles" localSheetId="0">'${name}'!${headers}</definedName>`
  );
}
