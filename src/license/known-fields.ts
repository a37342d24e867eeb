/** A label or section header in the form in which it is compared. */
export const normalizeLabel = (label: string) => label.trim().replace(/\s+/g, ' ').toLowerCase();

/** Characters of an unknown label or section header; a longer one is text with a colon in it. */
export const MAX_LABEL_CHARS = 64;

/** A value with one or more labels, in Russian and English. */
interface Field<T> {
  labels: readonly string[];
  /** Returns null for a value of another form. */
  parse: (value: string) => T | null;
}

export const field = <T>(parse: Field<T>['parse'], ...labels: string[]): Field<T> => ({ labels, parse });
export const textField = (...labels: string[]): Field<string> => field((value) => value, ...labels);

type Fields = Record<string, Field<unknown>>;
type Values<F extends Fields> = { [Key in keyof F]: ReturnType<F[Key]['parse']> };

export const labelsOf = (fields: Fields) => Object.values(fields).flatMap(({ labels }) => labels);

/** Collects the values of known labels. */
export class KnownFields<F extends Fields> {
  /** Every key, with null for those without a value. */
  readonly values: Values<F>;
  private readonly keys = new Map<string, keyof F>();

  constructor(private readonly fields: F) {
    for (const [key, { labels }] of Object.entries(fields)) {
      for (const label of labels) this.keys.set(normalizeLabel(label), key);
    }
    this.values = Object.fromEntries(Object.keys(fields).map((key) => [key, null])) as Values<F>;
  }

  knows(label: string): boolean {
    return this.keys.has(normalizeLabel(label));
  }

  /**
   * Stores the value of a label; an empty one is the same as none.
   * @returns false when the value has no place here: unknown label, second value, or wrong form
   */
  take(label: string, value: string): boolean {
    const key = this.keys.get(normalizeLabel(label));
    if (key === undefined) return false;
    if (value === '') return true;
    const parsed = this.fields[key]?.parse(value) as Values<F>[keyof F];
    if (this.values[key] !== null || parsed === null) return false;
    this.values[key] = parsed;
    return true;
  }
}
