/**
 * Texts in English and Russian. `{name}` stands for a value, and `{count|file|files}` for the form that a number asks
 * for: one and other in English; one, few and many in Russian.
 */
export type Texts = Record<string, readonly [en: string, ru: string]>;
