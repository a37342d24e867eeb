/** A label or section header in the form in which it is compared. */
export const normalizeLabel = (label: string) => label.trim().replace(/\s+/g, ' ').toLowerCase();

/** Characters of an unknown label or section header; a longer one is text with a colon in it. */
export const MAX_LABEL_CHARS = 64;

/** Collects the values of known labels; each key has one or more labels, in Russian and English. */
export class KnownFields<Key extends string> {
  private readonly keys = new Map<string, Key>();
  private readonly found = new Map<Key, string>();

  /** @param checks tell whether a value has the form that its key demands */
  constructor(
    labels: Record<Key, readonly string[]>,
    private readonly checks: Partial<Record<Key, (value: string) => boolean>> = {},
  ) {
    for (const [key, variants] of Object.entries(labels) as [Key, readonly string[]][]) {
      for (const label of variants) this.keys.set(normalizeLabel(label), key);
    }
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
    if (this.found.has(key) || this.checks[key]?.(value) === false) return false;
    this.found.set(key, value);
    return true;
  }

  /** Every key, with null for those without a value. */
  all(): Record<Key, string | null> {
    const keys = new Set(this.keys.values());
    return Object.fromEntries([...keys].map((key) => [key, this.found.get(key) ?? null])) as Record<
      Key,
      string | null
    >;
  }
}
