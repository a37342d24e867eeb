/** A label or section header in the form in which it is compared. */
export function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Characters of an unknown label or section header; a longer one is text with a colon in it. */
export const MAX_LABEL_CHARS = 64;

/** A value with one or more labels, in Russian and English. */
interface Field<T> {
  labels: readonly string[];
  /** Returns null for a value of another form. */
  parse: (value: string) => T | null;
}

export function field<T>(parse: Field<T>['parse'], ...labels: string[]): Field<T> {
  return { labels, parse };
}

/** A text, whose lines are joined by a blank. */
export function textField(...labels: string[]): Field<string> {
  return { labels, parse: (value) => value.replaceAll('\n', ' ') };
}

type Fields = Record<string, Field<unknown>>;
type Values<F extends Fields> = { [Key in keyof F]: ReturnType<F[Key]['parse']> };

export function labelsOf(fields: Fields): string[] {
  return Object.values(fields).flatMap(({ labels }) => labels);
}

/** Collects the values of known labels. */
export class KnownFields<F extends Fields> {
  /** Every key, with null for those without a value. */
  readonly values: Values<F>;
  private readonly keys = new Map<string, keyof F>();

  constructor(private readonly fields: F) {
    const values: Record<string, unknown> = {};
    for (const [key, { labels }] of Object.entries(fields)) {
      values[key] = null;
      for (const label of labels) this.keys.set(normalizeLabel(label), key);
    }
    this.values = values as Values<F>;
  }

  knows(label: string): boolean {
    return this.keys.has(normalizeLabel(label));
  }

  /**
   * Stores the value of a label. An empty value is the same as none.
   * @returns false when the value has no place here, because the label is unknown or already has a value, or because the
   *   value has another form
   */
  take(label: string, value: string): boolean {
    const key = this.keys.get(normalizeLabel(label));
    if (key === undefined) return false;
    if (value === '') return true;
    if (this.values[key] !== null) return false;

    const parsed = this.fields[key]?.parse(value) as Values<F>[keyof F];
    if (parsed === null) return false;
    this.values[key] = parsed;
    return true;
  }
}
