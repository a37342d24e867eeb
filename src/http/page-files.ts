import express, { type RequestHandler } from 'express';

/**
 * The policy of a page that loads nothing from and sends nothing to another host, and that no frame may show.
 * @param imageSources where images may come from
 * @param more further directives
 */
export function pagePolicy(imageSources: string, ...more: string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${imageSources}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ');
}

/**
 * Serves these files of a directory and no others. Their version must be part of the URL: a new one is loaded at once,
 * and the old one can be kept.
 * @param paths paths below the directory, each with a leading slash
 */
export function versionedFiles(directory: string, paths: readonly string[]): RequestHandler[] {
  return [
    (req, _res, next) => next(paths.includes(req.path) ? undefined : 'router'),
    express.static(directory, { index: false, immutable: true, maxAge: '1y' }),
  ];
}
