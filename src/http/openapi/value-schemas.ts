import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { FieldType, FieldTypeParts } from '../../schema/field-type.ts'
import { pictureType } from '../../schema/picture-type.ts'
import {
  boolType,
  floatType,
  intType,
  numericStringType,
  stringType,
  urlType,
} from '../../schema/scalar-types.ts'
import { ageRangeType, birthdayType, datetimeType, unixtimeType } from '../../schema/time-types.ts'
import { schemaRef } from './references.ts'

/** What values look like in an answer, and one of them. */
export type ValueSchema = { readonly schema: JsonObject; readonly example: JsonValue }

/** An object with some members, of which some are always there. */
export const objectSchema = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

const integer: JsonObject = { type: 'integer', format: 'int64' }

const picture = {
  height: integer,
  is_silhouette: { type: 'boolean' },
  url: schemaRef('Url'),
  width: integer,
}

/** Values that have a name and a form of their own: each is a component, described once. */
const NAMED = {
  Id: {
    schema: {
      type: 'string',
      pattern: '^[1-9][0-9]{0,19}$',
      description: 'The id of a node: a number, and yet text, since it may be larger than 2^53.',
    },
    example: '1',
  },
  NumericString: {
    schema: {
      type: 'string',
      pattern: '^[0-9]{1,64}$',
      description: 'Text of digits, for numbers that may be larger than 2^53.',
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
      description: 'YYYY-MM-DDThh:mm:ss+0000, always in UTC; unlike in RFC 3339 the offset has no colon.',
    },
    example: '2000-01-31T23:59:59+0000',
  },
  Unixtime: {
    schema: { ...integer, description: 'Seconds since the beginning of 1970 in UTC.' },
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
      ...objectSchema({ min: integer, max: integer }, ['min']),
      description: 'A segment of ages in whole years, both ends inclusive; the last has no max.',
    },
    example: { min: 21 },
  },
  Picture: {
    schema: {
      ...objectSchema({ data: objectSchema(picture, Object.keys(picture)) }, ['data']),
      description: 'A picture in one of its sizes, in pixels.',
    },
    example: { data: { height: 50, is_silhouette: true, url: 'https://example.com/50.jpg', width: 50 } },
  },
} as const satisfies { readonly [name: string]: ValueSchema }

const named = (name: keyof typeof NAMED): ValueSchema => ({
  schema: schemaRef(name),
  example: NAMED[name].example,
})

/** The values that have a name of their own, as components. */
export const valueComponents: JsonObject = Object.fromEntries(
  Object.entries(NAMED).map(([name, { schema, example }]) => [name, { ...schema, examples: [example] }]),
)

export const idValue = named('Id')
export const datetimeValue = named('Datetime')
export const boolValue: ValueSchema = { schema: { type: 'boolean' }, example: true }

const SIMPLE = new Map<FieldType, ValueSchema>([
  [stringType, { schema: { type: 'string' }, example: 'text' }],
  [boolType, boolValue],
  [intType, { schema: integer, example: 1 }],
  [floatType, { schema: { type: 'number', format: 'double' }, example: 0.5 }],
  [numericStringType, named('NumericString')],
  [urlType, named('Url')],
  [datetimeType, datetimeValue],
  [unixtimeType, named('Unixtime')],
  [birthdayType, named('Birthday')],
  [ageRangeType, named('AgeRange')],
  [pictureType, named('Picture')],
])

/** Of a type of the schema's author only the name is known: it may be any JSON. */
const unknownValue = ({ name }: FieldType): ValueSchema => ({ schema: { title: name }, example: name })

const partsSchemaOf = (type: FieldType, parts: FieldTypeParts): ValueSchema => {
  if ('unknown' in parts) return unknownValue(type)
  if ('words' in parts) {
    const [first = ''] = parts.words
    return { schema: { type: 'string', enum: parts.words }, example: first }
  }
  if ('items' in parts) {
    const { schema, example } = valueSchemaOf(parts.items)
    return { schema: { type: 'array', items: schema }, example: [example] }
  }
  if ('values' in parts) {
    const { schema, example } = valueSchemaOf(parts.values)
    return { schema: { type: 'object', additionalProperties: schema }, example: { key: example } }
  }
  if ('data' in parts) {
    const { schema, example } = valueSchemaOf(parts.data)
    return { schema: objectSchema({ data: schema }, ['data']), example: { data: example } }
  }
  const members = [...parts.members]
  const values = members.map(([name, { type }]) => [name, valueSchemaOf(type)] as const)
  const required = members.flatMap(([name, member]) => (member.required ? [name] : []))
  return {
    schema: objectSchema(Object.fromEntries(values.map(([name, { schema }]) => [name, schema])), required),
    example: Object.fromEntries(values.map(([name, { example }]) => [name, example])),
  }
}

/** What values of a type look like in an answer. */
export const valueSchemaOf = (type: FieldType): ValueSchema =>
  SIMPLE.get(type) ?? (type.parts === undefined ? unknownValue(type) : partsSchemaOf(type, type.parts))
