import { signal } from '@preact/signals';
import type { Language } from '../../../errors/catalog.js';
import { textsIn, type Tell } from './texts.js';

/** The language of the page. */
export const language = signal<Language>('en');

/** Tells a text in the language of the page; what shows it is updated when that changes. */
export const t: Tell = (key, values) => textsIn(language.value)(key, values);
