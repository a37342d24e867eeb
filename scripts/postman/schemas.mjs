/** What a reference within the document, such as `#/components/schemas/Error`, stands for. */
export function resolve(document, { $ref: reference, ...rest }) {
  if (reference === undefined) return rest;
  const target = reference
    .slice('#/'.length)
    .split('/')
    .reduce((node, key) => node?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  if (target === undefined) throw new Error(`${reference} stands for nothing in the document.`);
  return resolve(document, { ...target, ...rest });
}

/** Say nothing about what is valid. */
const ANNOTATIONS = ['title', 'description', 'example', 'examples', 'default'];

/** Mean the same in draft 2020-12, which OpenAPI 3.1 is written in, and in draft 7, which is what Postman knows. */
const KEYWORDS = [
  ...['type', 'const', 'enum', 'required'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems'],
];
const WITH_SCHEMA = ['additionalProperties', 'items', 'not'];
const WITH_SCHEMAS = ['anyOf', 'oneOf', 'allOf'];

/**
 * The same schema for Postman: in draft 7, without references, and without what is for readers only.
 * @throws {Error} naming a keyword of which it is not known that it means the same there
 */
export function portableSchema(document, schema) {
  if (typeof schema === 'boolean') return schema;
  const portable = (inner) => portableSchema(document, inner);
  const entries = Object.entries(resolve(document, schema)).filter(([key]) => !ANNOTATIONS.includes(key));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'properties') {
        return [
          key,
          Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, portable(inner)])),
        ];
      }
      if (WITH_SCHEMA.includes(key)) return [key, portable(value)];
      if (WITH_SCHEMAS.includes(key)) return [key, value.map(portable)];
      if (KEYWORDS.includes(key)) return [key, value];
      throw new Error(`"${key}" in a schema of the document may mean something else to Postman.`);
    }),
  );
}
