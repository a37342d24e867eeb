import { STATUS_CODES } from 'node:http';
import { assertions } from './assertions.mjs';
import { casesOf, NOT_TO_BE_BROUGHT_ABOUT } from './cases.mjs';

/** The one error that belongs to no operation. */
const NO_SUCH_PATH = 'not_found';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const VARIABLES = {
  baseUrl: ['http://localhost:3000', 'Where the service is'],
  token: ['', 'A token that the service takes'],
  sample: ['scripts/demo-ring/samples/20240115120000.lic', 'A licence that can be decoded'],
  client: ['', 'Set by the requests that use up the limit: the address of their client'],
};

const HOW_TO_USE = `Every documented case of the API as a request that checks its own answer: status, error, body and headers. What no request can bring about, such as a 500, is saved with the others as an example of the first request of its folder.

Written from the OpenAPI document by \`npm run postman\`: change that, not this.

## By hand

1. Import this file into Postman. In its settings, make the project's directory the working directory: the paths of the files to upload are relative to it. Or pick a file in the body of the request.
2. Set the variables: \`baseUrl\` to where the service is, \`token\` to a token (\`npm run token -- --days 1\`), \`sample\` to a licence of your own. With \`npm run demo\`, which prints a token, the sample is there already.
3. Send a request, or run the whole collection, in its order.

Each decode comes from an address of its own, named in \`X-Forwarded-For\`, so that the limit is met only where that is meant. The service must believe that header (\`TRUST_PROXY\`), as it does by default when it is called from a private network with no proxy in between. Elsewhere only as many decodes as the limit allows get their documented answer.

## In a shell

\`\`\`sh
npx newman run docs/decode.postman_collection.json --env-var baseUrl=http://localhost:3000 --env-var token="$(npm run --silent token -- --days 1)"
\`\`\``;

/**
 * The Postman collection (v2.1) of the API: a folder for each tag, in it one for each operation, in it its cases.
 * @param document the OpenAPI document
 * @param limits what the service is run with: anonymous decode `requests` in a window, and `bytes` of the largest file
 * @throws {Error} when a case counts on what the document does not know, or the document knows what no case shows
 */
export function postmanCollection(document, limits) {
  const operations = operationsOf(document);
  const context = { document, limits };
  checkDocument(document, operations);
  return {
    info: { name: document.info.title, description: HOW_TO_USE, schema: SCHEMA },
    variable: Object.entries(VARIABLES).map(([key, [value, description]]) => ({
      key,
      value,
      type: 'string',
      description,
    })),
    item: [
      ...document.tags.map(({ name, description }) => ({
        name,
        description,
        item: operations
          .filter(({ tags }) => tags[0] === name)
          .map((operation) => operationFolder(operation, context)),
      })),
      elsewhere(document),
    ],
  };
}

function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, ...operation }]) => ({
      ...operation,
      id: operationId,
      path,
      method: method.toUpperCase(),
      methods: Object.keys(item).map((other) => other.toUpperCase()),
    })),
  );
}

const examplesOf = (response) =>
  Object.values(response.content).flatMap(({ examples = {} }) => Object.entries(examples));

/** What an operation is documented to answer: statuses, each with an error's code or with none. */
function outcomesOf({ responses }) {
  return Object.entries(responses).flatMap(([status, response]) => {
    const codes = examplesOf(response).map(([, { value }]) => value.error);
    return [...new Set(codes.length > 0 ? codes : [undefined])].map((error) => ({
      status: Number(status),
      error,
    }));
  });
}

/** Sees to it that nothing is left out: each operation has a folder, and each code is an answer somewhere. */
function checkDocument(document, operations) {
  const tags = document.tags.map(({ name }) => name);
  for (const { id, tags: own } of operations) {
    if (!tags.includes(own[0])) throw new Error(`The tag of ${id} is none of the document's tags.`);
  }
  const answered = new Set(operations.flatMap(outcomesOf).map(({ error }) => error));
  answered.delete(undefined);
  answered.add(NO_SUCH_PATH);
  const known = new Set(document.components.schemas.Error.properties.error.enum);
  for (const error of answered.symmetricDifference(known)) {
    throw new Error(`${error} is either no answer of any operation, or no code of the schema Error.`);
  }
  for (const error of NOT_TO_BE_BROUGHT_ABOUT) {
    if (!known.has(error)) throw new Error(`The document does not know ${error}.`);
  }
}

function operationFolder(operation, context) {
  const outcomes = outcomesOf(operation);
  const where = `${operation.method} ${operation.path}`;
  const missing = new Set(outcomes.filter(({ error }) => !NOT_TO_BE_BROUGHT_ABOUT.includes(error)));
  const items = casesOf(operation, context).map((given) => {
    const met = outcomes.filter(({ status, error }) =>
      given.error ? error === given.error : !error && given.statuses.includes(status),
    );
    if (met.length !== (given.statuses ?? [given.error]).length) {
      throw new Error(
        `${where} does not document what "${given.title}" counts on: ${given.error ?? given.statuses}.`,
      );
    }
    for (const outcome of met) missing.delete(outcome);
    const statuses = met.map(({ status }) => status);
    return caseItem(operation, { ...given, statuses }, context.document);
  });
  if (missing.size > 0) {
    const list = [...missing].map(({ status, error }) => `${status} ${error ?? ''}`.trim()).join(', ');
    throw new Error(`${where} has no case for: ${list}. Write one in scripts/postman/cases.mjs.`);
  }

  const [first, ...rest] = items;
  return {
    name: where,
    description: [operation.summary, operation.description].filter(Boolean).join('\n\n'),
    item: [{ ...first, response: savedExamples(operation, first.request) }, ...rest],
  };
}

/** Every example of the document, those that no request can bring about among them. */
function savedExamples({ responses }, originalRequest) {
  return Object.entries(responses).flatMap(([status, response]) =>
    examplesOf(response).map(([name, { value }]) => ({
      name: `${status} ${name}`,
      originalRequest,
      status: STATUS_CODES[status],
      code: Number(status),
      _postman_previewlanguage: 'json',
      header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
      cookie: [],
      body: JSON.stringify(value, null, 2),
    })),
  );
}

/** One request with its checks. */
function caseItem({ path, method, responses }, given, document) {
  const [response, ...others] = given.statuses.map((status) => responses[status]);
  const shapeOf = ({ headers, content }) =>
    JSON.stringify([headers, Object.values(content).map(({ schema }) => schema)]);
  if (others.some((other) => shapeOf(other) !== shapeOf(response))) {
    throw new Error(`"${given.title}" may get answers that the document gives different shapes.`);
  }
  const { title, error, statuses, before = [] } = given;
  const script = (listen, exec) => ({ listen, script: { type: 'text/javascript', exec } });
  return {
    name: `${[statuses.join('/'), error].filter(Boolean).join(' ')}: ${title}`,
    event: [
      ...(before.length > 0 ? [script('prerequest', before)] : []),
      script('test', assertions(document, response, given)),
    ],
    request: requestOf(path, given.method ?? method, given),
    response: [],
  };
}

function requestOf(path, method, { headers = {}, token, body }) {
  return {
    method,
    ...(token && { auth: { type: 'bearer', bearer: [{ key: 'token', value: token, type: 'string' }] } }),
    header: Object.entries(headers).map(([key, value]) => ({ key, value })),
    ...(body && { body }),
    url: { raw: `{{baseUrl}}${path}`, host: ['{{baseUrl}}'], path: path.slice(1).split('/') },
  };
}

/** The folder of the one error that belongs to no operation: the document tells its status in its description. */
function elsewhere(document) {
  const status = new RegExp(`\\b(\\d{3}) \`${NO_SUCH_PATH}\``).exec(document.info.description)?.[1];
  if (!status)
    throw new Error(`The description of the document does not say when it answers ${NO_SUCH_PATH}.`);
  const operation = {
    path: '/api/no-such-path',
    method: 'GET',
    responses: {
      [status]: {
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
  const given = { title: 'a path that there is not', error: NO_SUCH_PATH, statuses: [Number(status)] };
  return { name: 'Any other path', item: [caseItem(operation, given, document)] };
}
