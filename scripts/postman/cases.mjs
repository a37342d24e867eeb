import { pmTest } from './assertions.mjs';

/*
 * What a client can bring about, by operation. Statuses, bodies and headers are the document's: a case says only what
 * it sends, which error it gets, or which successes, and what is to be seen in it that no schema tells.
 */

/**
 * @typedef {object} Case
 * @property {string} title
 * @property {string} [error] the code it gets; its status is the document's
 * @property {number[]} [statuses] those it may get when it gets no error
 * @property {string} [method] other than the operation's
 * @property {Record<string, string>} [headers]
 * @property {object} [body] as Postman writes it
 * @property {string} [token] sent as a bearer token
 * @property {string[]} [before] lines of the script that runs before the request
 * @property {string[]} [present] headers that it must get, though the document does not require them
 * @property {string[]} [absent] headers that it must not get, even if the document requires them
 * @property {Record<string, string>} [equals] headers that must have this value
 * @property {boolean} [empty] true when the answer has no body
 * @property {string[]} [after] further lines of the script that runs after it
 */

/** Errors that need a slow client, a fault of the machine, or a load that nobody should make by hand. */
export const NOT_TO_BE_BROUGHT_ABOUT = [
  'request_timeout',
  'internal_error',
  'ring_unavailable',
  'queue_full',
  'storage_unavailable',
  'shutting_down',
  'ring_timeout',
  'decode_timeout',
];

const SAMPLE = '{{sample}}';
const FILES = 'docs/postman';
const BOUNDARY = 'postman';

const file = (src, key = 'license') => ({ key, type: 'file', src });
const text = (key, value) => ({ key, type: 'text', value });
const form = (...parts) => ({ body: { mode: 'formdata', formdata: parts } });
const raw = (contentType, content) => ({
  headers: { 'Content-Type': contentType },
  body: { mode: 'raw', raw: content },
});
const multipart = (content) => raw(`multipart/form-data; boundary=${BOUNDARY}`, content);

/** What stands in a form of one file before the file's bytes, and after them. */
const formStart = (name) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="license"; filename="${name}"\r\n\r\n`;
const FORM_END = `\r\n--${BOUNDARY}--\r\n`;

/**
 * A form for what is refused before it is read. Of a file that it reads from the disk newman would send no more once
 * the answer is there, and not end until the service closes the connection, a minute later.
 */
const refusedForm = (name) => multipart(`${formStart(name)}x${FORM_END}`);

const QUOTA = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** A random address for each request, so that none uses another's quota, and all can be sent again within the hour. */
const withAddress = ({ headers, ...rest }, address = '{{$randomIP}}') => ({
  ...rest,
  headers: { 'X-Forwarded-For': address, ...headers },
});

const anonymous = (given, address) => ({
  ...withAddress(given, address),
  present: QUOTA,
  absent: ['WWW-Authenticate'],
});

const HARDWARE_FIELDS = 'const { licHWConfig, currentHWConfig } = pm.response.json();';
const NO_HARDWARE = pmTest(
  'both hardware configurations are null',
  HARDWARE_FIELDS,
  'pm.expect([licHWConfig, currentHWConfig]).to.eql([null, null]);',
);
const HARDWARE = pmTest(
  'both hardware configurations are there',
  HARDWARE_FIELDS,
  "pm.expect(licHWConfig).to.be.a('string');",
  "pm.expect(currentHWConfig).to.be.a('string');",
);

/**
 * As many requests of one client as the limit allows, and one more.
 * @returns {Case[]}
 */
function usedUpLimit(requests) {
  const decode = (n) => ({
    ...anonymous(form(file(SAMPLE)), '{{client}}'),
    title: `decode ${n} of ${requests} in a window`,
    statuses: [200],
    equals: { 'X-RateLimit-Limit': `${requests}`, 'X-RateLimit-Remaining': `${requests - n}` },
  });
  const allowed = Array.from({ length: requests }, (_, i) => decode(i + 1));
  const refused = {
    ...anonymous(refusedForm('a.lic'), '{{client}}'),
    title: 'one decode more',
    error: 'rate_limited',
    present: [...QUOTA, 'Retry-After'],
    equals: { 'X-RateLimit-Remaining': '0' },
    after: pmTest(
      'retryAfter, Retry-After and X-RateLimit-Reset are the same',
      'const { retryAfter } = pm.response.json();',
      "pm.expect(pm.response.headers.get('Retry-After')).to.equal(String(retryAfter));",
      "pm.expect(pm.response.headers.get('X-RateLimit-Reset')).to.equal(String(retryAfter));",
    ),
  };
  const [first, ...rest] = [...allowed, refused];
  const chooseClient = "pm.collectionVariables.set('client', pm.variables.replaceIn('{{$randomIP}}'));";
  return [{ ...first, before: [chooseClient] }, ...rest];
}

/** @returns {Case[]} */
function decode({ limits }) {
  return [
    { ...anonymous(form(file(SAMPLE))), title: 'a licence', statuses: [200], after: NO_HARDWARE },
    {
      ...anonymous(form(file(SAMPLE), text('detailed', 'true'))),
      title: 'a licence, detailed',
      statuses: [200],
      after: HARDWARE,
    },
    {
      ...anonymous(form(file(SAMPLE), text('detailed', 'yes'))),
      title: 'a licence, detailed other than true',
      statuses: [200],
      after: NO_HARDWARE,
    },
    {
      ...form(file(SAMPLE)),
      title: 'a licence, with a token',
      statuses: [200],
      token: '{{token}}',
      absent: [...QUOTA, 'WWW-Authenticate'],
    },
    {
      ...withAddress(form(file(SAMPLE))),
      title: 'a licence, with a token that is not valid',
      statuses: [200],
      token: 'not.a.token',
      present: [...QUOTA, 'WWW-Authenticate'],
    },
    {
      ...anonymous(raw('application/json', '{ "license": "a.lic" }')),
      title: 'JSON in place of a form',
      error: 'not_multipart',
    },
    {
      ...anonymous(multipart(`${formStart('a.lic')}cut off`)),
      title: 'a form that is cut off',
      error: 'malformed_body',
    },
    { ...anonymous(form(text('detailed', 'true'))), title: 'a form without a file', error: 'file_missing' },
    { ...anonymous(form(text('license', 'a.lic'))), title: 'the file as text', error: 'file_missing' },
    { ...anonymous(form(file(SAMPLE), file(SAMPLE))), title: 'two files', error: 'unexpected_file' },
    {
      ...anonymous(form(file(SAMPLE, 'file'))),
      title: 'the file in another field',
      error: 'unexpected_file',
    },
    {
      ...anonymous(refusedForm('licence.txt')),
      title: 'a file of another name',
      error: 'wrong_file_name',
    },
    {
      ...anonymous(form(text('detailed', 'true'), text('comment', 'x'), file(SAMPLE))),
      title: 'a field too many',
      error: 'unexpected_field',
    },
    {
      ...anonymous(multipart('')),
      title: 'a file that is one byte too large',
      error: 'file_too_large',
      // So large a file is made when it is needed.
      before: [
        `const start = ${JSON.stringify(formStart('a.lic'))};`,
        `const end = ${JSON.stringify(FORM_END)};`,
        `pm.request.body.update({ mode: 'raw', raw: start + 'x'.repeat(${limits.bytes + 1}) + end });`,
      ],
    },
    { ...anonymous(form(file(`${FILES}/empty.lic`))), title: 'an empty file', error: 'file_empty' },
    {
      ...anonymous(form(file(`${FILES}/damaged.lic`))),
      title: 'a file that is no licence',
      error: 'license_undecodable',
    },
    ...usedUpLimit(limits.requests),
  ];
}

/** @returns {Case[]} */
const status = () => [
  {
    title: 'ready, or not',
    statuses: [200, 503],
    after: pmTest(
      'ready says the same as the status',
      'pm.expect(pm.response.json().ready).to.equal(pm.response.code === 200);',
    ),
  },
];

/** @returns {Case[]} */
const docs = ({ document }) => [
  {
    title: 'the document',
    statuses: [200],
    after: pmTest(
      'it is the document of this API',
      `pm.expect(Object.keys(pm.response.json().paths)).to.eql(${JSON.stringify(Object.keys(document.paths))});`,
    ),
  },
];

/** @returns {Case[]} */
const page = ({ document }) => [
  {
    title: 'the page',
    statuses: [200],
    after: pmTest(
      'it is the page of this API',
      `pm.expect(pm.response.text()).to.include(${JSON.stringify(`<title>${document.info.title}</title>`)});`,
    ),
  },
];

/** @returns {Case[]} */
const health = () => [
  { title: 'alive', statuses: [200] },
  {
    title: "alive, and the request's own id comes back",
    statuses: [200],
    headers: { 'X-Request-Id': 'postman-1' },
    equals: { 'X-Request-Id': 'postman-1' },
  },
];

const BY_OPERATION = { decode, status, docs, page, health };

/**
 * Refusals that every path knows.
 * @returns {Case[]}
 */
function refusals({ methods }) {
  // HEAD is possible wherever GET is.
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [
    {
      title: 'another method',
      method: ['PUT', 'DELETE', 'PATCH'].find((method) => !allowed.includes(method)),
      error: 'method_not_allowed',
      equals: { Allow: allowed.join(', ') },
    },
    {
      title: 'framing that breaks the rules of HTTP',
      headers: { 'Content-Length': 'none' },
      error: 'bad_request',
    },
    {
      title: 'headers that are too large',
      before: ["pm.request.headers.add({ key: 'X-Large', value: 'x'.repeat(20_000) });"],
      error: 'headers_too_large',
    },
  ];
}

/**
 * Every case of an operation, in the order in which they are to be sent.
 * @returns {Case[]}
 * @throws {Error} when nobody has written any for it
 */
export function casesOf(operation, context) {
  const own = BY_OPERATION[operation.id]?.(context);
  if (!own) throw new Error(`${operation.id} has no cases: write them in scripts/postman/cases.mjs.`);
  const [{ statuses }] = own;
  const head = { title: 'the headers alone', method: 'HEAD', statuses, empty: true };
  return [...own, ...(operation.method === 'GET' ? [head] : []), ...refusals(operation)];
}
