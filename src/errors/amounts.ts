/** A length of time. All messages state it in seconds, as Retry-After and the headers of the limit do. */
export const seconds = (count: number) => ({
  en: count === 1 ? '1 second' : `${count} seconds`,
  ru: `${count} с`,
});

/** A number of decode requests, in the words of the agreed interface. The Russian message says it without the noun. */
export const decodeRequests = (count: number) => ({
  en: count === 1 ? '1 decode request' : `${count} decode requests`,
  ru: String(count),
});

/** A window of the limit, as it follows a number of requests. */
export function perWindow(windowSeconds: number) {
  if (windowSeconds === 3600) return { en: 'per hour', ru: 'в час' };

  const { en, ru } = seconds(windowSeconds);
  return { en: `in ${en}`, ru: `за ${ru}` };
}
