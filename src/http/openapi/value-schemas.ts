import type { IdKind } from '../../base/ids.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { FieldType, FieldTypeParts } from '../../schema/field-type.ts'
import { idPrefixOf } from '../../schema/id-prefixes.ts'
import { jsonType } from '../../schema/json-type.ts'
import { pictureType } from '../../schema/picture-type.ts'
import {
  boolType,
  floatType,
  intType,
  numericStringType,
  stringType,
  urlType,
} from '../../schema/scalar-types.ts'
import type { Schema } from '../../schema/schema.ts'
import { ageRangeType, birthdayType, dateType, datetimeType, unixtimeType } from '../../schema/time-types.ts'

/** Returns a reference to a component by its name. */
export const createSchemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/**
 * Creates the schema of a value that matches at least one of the given components. `oneOf` would be wrong,
 * because a node with only the requested fields may match several types.
 */
export const createAnyOf = (names: readonly string[]): JsonObject => {
  const refs = [...new Set(names)].map(createSchemaRef)
  return refs.length === 1 ? { ...refs[0] } : { anyOf: refs }
}

/** The schema of values in a response, and an example. */
export type ValueSchema = { readonly schema: JsonObject; readonly example: JsonValue }

/** Creates the schema of an object. `required` contains the names of its required members. */
export const createObjectSchema = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

const integerSchema: JsonObject = { type: 'integer', format: 'int64' }

const pictureProperties = {
  height: integerSchema,
  is_silhouette: { type: 'boolean' },
  url: createSchemaRef('Url'),
  width: integerSchema,
}

/** The values that are components, so that the document describes each of them only once. */
const NAMED_VALUES = {
  Id: {
    schema: {
      type: 'string',
      pattern: '^[1-9][0-9]{0,19}$',
      description: 'The id of a node: a number as a string, since it may be larger than 2^53.',
    },
    example: '1',
  },
  NumericString: {
    schema: {
      type: 'string',
      pattern: '^-?[0-9]+(\\.[0-9]+)?$',
      maxLength: 64,
      description: 'A decimal number as a string, since a JSON number may not hold all of its digits.',
    },
    example: '10000000000000001',
  },
  Url: {
    schema: { type: 'string', description: 'A URL, or a path that begins with /.' },
    example: 'https://example.com/',
  },
  Datetime: {
    schema: {
      type: 'string',
      pattern: '^([0-9]{4}|[+-][0-9]{6})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\+0000$',
      description: 'YYYY-MM-DDThh:mm:ss+0000, always in UTC. Unlike in RFC 3339, the offset has no colon.',
    },
    example: '2000-01-31T23:59:59+0000',
  },
  Date: {
    schema: {
      type: 'string',
      format: 'date',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: 'A calendar date as YYYY-MM-DD.',
    },
    example: '2000-01-31',
  },
  Unixtime: {
    schema: { ...integerSchema, description: 'Seconds since the beginning of 1970 in UTC.' },
    example: 949_363_199,
  },
  Birthday: {
    schema: {
      type: 'string',
      pattern: '^([0-9]{2}/[0-9]{2}(/[0-9]{4})?|[0-9]{4})$',
      description: 'MM/DD/YYYY, or only YYYY or MM/DD.',
    },
    example: '01/31/2000',
  },
  AgeRange: {
    schema: {
      ...createObjectSchema({ min: integerSchema, max: integerSchema }, ['min']),
      description: 'A range of ages in whole years, both ends inclusive. The last range has no max.',
    },
    example: { min: 21 },
  },
  Picture: {
    schema: {
      ...createObjectSchema({ data: createObjectSchema(pictureProperties, Object.keys(pictureProperties)) }, [
        'data',
      ]),
      description: 'A picture in one of its sizes, in pixels.',
    },
    example: { data: { height: 50, is_silhouette: true, url: 'https://example.com/50.jpg', width: 50 } },
  },
} as const satisfies { readonly [name: string]: ValueSchema }

const createNamedValue = (name: keyof typeof NAMED_VALUES): ValueSchema => ({
  schema: createSchemaRef(name),
  example: NAMED_VALUES[name].example,
})

/** The id of a node in a schema with named ids. */
const NAMED_ID: ValueSchema = {
  schema: {
    type: 'string',
    pattern: '^[a-z][a-z0-9_]{0,62}-[A-Za-z0-9._~-]{1,300}$',
    description: 'The id of a node: its type, `-` and its key.',
  },
  example: 'photo-42',
}

/** Creates the components of the named values. The ids of nodes have a kind. */
export const createValueComponents = (ids: IdKind): JsonObject =>
  Object.fromEntries(
    Object.entries({ ...NAMED_VALUES, ...(ids === 'named' && { Id: NAMED_ID }) }).map(
      ([name, { schema, example }]) => [name, { ...schema, examples: [example] }],
    ),
  )

/** Returns an example of the ids of a type. */
export const createExampleId = ({ ids, types }: Schema, typeName: string, key = 1): string =>
  ids === 'named' ? `${idPrefixOf(types, typeName)}-${key}` : `${key}`

export const datetimeValue = createNamedValue('Datetime')
export const boolValue: ValueSchema = { schema: { type: 'boolean' }, example: true }

const VALUE_SCHEMAS_BY_TYPE = new Map<FieldType, ValueSchema>([
  [stringType, { schema: { type: 'string' }, example: 'text' }],
  [boolType, boolValue],
  [intType, { schema: integerSchema, example: 1 }],
  [floatType, { schema: { type: 'number', format: 'double' }, example: 0.5 }],
  [numericStringType, createNamedValue('NumericString')],
  [urlType, createNamedValue('Url')],
  [datetimeType, datetimeValue],
  [dateType, createNamedValue('Date')],
  [jsonType, { schema: { description: 'Any JSON.' }, example: { key: 'text' } }],
  [unixtimeType, createNamedValue('Unixtime')],
  [birthdayType, createNamedValue('Birthday')],
  [ageRangeType, createNamedValue('AgeRange')],
  [pictureType, createNamedValue('Picture')],
])

/** Only the name of a custom type is known, so its values may be any JSON. */
const createUnknownValue = ({ name }: FieldType): ValueSchema => ({ schema: { title: name }, example: name })

const createPartsSchema = (type: FieldType, parts: FieldTypeParts): ValueSchema => {
  if ('unknown' in parts || 'json' in parts) return createUnknownValue(type)
  if ('words' in parts) {
    const [first = ''] = parts.words
    return { schema: { type: 'string', enum: parts.words }, example: first }
  }
  if ('items' in parts) {
    const { schema, example } = toValueSchema(parts.items)
    return { schema: { type: 'array', items: schema }, example: [example] }
  }
  if ('values' in parts) {
    const { schema, example } = toValueSchema(parts.values)
    return { schema: { type: 'object', additionalProperties: schema }, example: { key: example } }
  }
  if ('data' in parts) {
    const { schema, example } = toValueSchema(parts.data)
    return { schema: createObjectSchema({ data: schema }, ['data']), example: { data: example } }
  }
  const members = [...parts.members]
  const memberSchemas = members.map(([name, { type }]) => [name, toValueSchema(type)] as const)
  const required = members.flatMap(([name, member]) => (member.required ? [name] : []))
  return {
    schema: createObjectSchema(
      Object.fromEntries(memberSchemas.map(([name, { schema }]) => [name, schema])),
      required,
    ),
    example: Object.fromEntries(memberSchemas.map(([name, { example }]) => [name, example])),
  }
}

/** Returns the schema of values of a type in a response. */
export const toValueSchema = (type: FieldType): ValueSchema =>
  VALUE_SCHEMAS_BY_TYPE.get(type) ??
  (type.parts === undefined ? createUnknownValue(type) : createPartsSchema(type, type.parts))
