import { portableSchema, resolve } from './schemas.mjs';

const js = JSON.stringify;

/** Lines of a script: one named check, which fails when one of its own lines throws. */
export const pmTest = (title, ...lines) => [
  `pm.test(${js(title)}, () => {`,
  ...lines.map((line) => `  ${line}`),
  '});',
];

/**
 * Lines of the script by which Postman checks an answer: status, error, media type, body and headers.
 * @param response the documented answer, an OpenAPI Response Object
 * @param given the case, with the `statuses` that it may get
 */
export function assertions(document, response, given) {
  const { statuses, error, empty, after = [] } = given;
  const [[mediaType, { schema }]] = Object.entries(response.content);
  const body = mediaType === 'application/json' ? 'pm.response.json()' : 'pm.response.text()';
  return [
    ...pmTest(
      `the status is ${statuses.join(' or ')}`,
      `pm.expect(pm.response.code).to.be.oneOf(${js(statuses)});`,
    ),
    ...(error
      ? pmTest(`the error is ${error}`, `pm.expect(pm.response.json().error).to.equal(${js(error)});`)
      : []),
    ...pmTest(
      `the body is ${mediaType}`,
      `pm.expect(pm.response.headers.get('Content-Type').split(';')[0]).to.equal(${js(mediaType)});`,
    ),
    ...(empty
      ? pmTest('there is no body', "pm.expect(pm.response.text() || '').to.equal('');")
      : pmTest(
          'the body fits its schema',
          `pm.expect(${body}).to.have.jsonSchema(${js(portableSchema(document, schema))});`,
        )),
    ...headerAssertions(document, response, given),
    ...after,
  ];
}

function headerAssertions(document, { headers = {} }, { present = [], absent = [], equals = {} }) {
  for (const name of [...present, ...absent, ...Object.keys(equals)]) {
    if (!(name in headers)) throw new Error(`The document has no header ${name} where a case counts on it.`);
  }
  return Object.entries(headers).flatMap(([name, reference]) => {
    const { required, schema } = resolve(document, reference);
    const value = `pm.response.headers.get(${js(name)})`;
    const isThere = `pm.response.headers.has(${js(name)})`;
    if (absent.includes(name)) {
      return pmTest(`there is no ${name}`, `pm.expect(${isThere}).to.equal(false);`);
    }
    const typed = ['integer', 'number'].includes(schema.type) ? `Number(${value})` : value;
    const lines = pmTest(
      `${name} fits its schema`,
      `pm.response.to.have.header(${js(name)});`,
      `pm.expect(${typed}).to.have.jsonSchema(${js(portableSchema(document, schema))});`,
    );
    if (name in equals) {
      lines.push(
        ...pmTest(`${name} is ${equals[name]}`, `pm.expect(${value}).to.equal(${js(equals[name])});`),
      );
    } else if (!required && !present.includes(name)) {
      lines.unshift(`if (${isThere}) {`);
      lines.push('}');
    }
    return lines;
  });
}
