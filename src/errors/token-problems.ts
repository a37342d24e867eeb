/** What a 429 adds for a client that sent no token, where the service accepts tokens. */
export const LIFTS_LIMIT = { en: ' A token lifts this limit.', ru: ' С токеном этого ограничения нет.' };

/** Why a token is not accepted. English also goes into WWW-Authenticate, so it must be ASCII without quotes. */
export const TOKEN_PROBLEMS = {
  no_secret: {
    en: 'this server has no secret set, so it accepts no token',
    ru: 'на сервере не задан JWT_SECRET, поэтому токены не принимаются',
  },
  wrong_header: {
    en: 'the header is not of the form: Bearer <JSON Web Token>',
    ru: 'заголовок Authorization должен иметь вид «Bearer <токен>»',
  },
  expired: { en: 'the token has expired', ru: 'истёк срок действия' },
  not_active: { en: 'the token is not valid yet', ru: 'срок действия ещё не начался' },
  invalid: {
    en: "the token is malformed, or not signed by HS256 with this server's secret",
    ru: 'он повреждён или подписан не секретом этого сервера (алгоритм HS256)',
  },
} as const satisfies Record<string, Record<'en' | 'ru', string>>;

export type TokenProblem = keyof typeof TOKEN_PROBLEMS;
