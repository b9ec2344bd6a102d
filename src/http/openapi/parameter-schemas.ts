import type { IdKind } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Parameter, Parameters } from '../../schema/parameter.ts'
import { joinSentences } from './descriptions.ts'
import { createObjectSchema, toValueSchema } from './value-schemas.ts'

const datetimeSchema: JsonObject = {
  type: 'string',
  description: 'A time in ISO 8601.',
  examples: ['2000-01-31T23:59:59Z'],
}

const ID_PATTERNS: { readonly [kind in IdKind]: string } = {
  digits: '^(me|[0-9]{1,20})$',
  named: '^(me|[a-z][a-z0-9_]{0,62}-[A-Za-z0-9._~-]{1,300})$',
}

const createIdSchema = (ids: IdKind, types: readonly string[] | undefined): JsonObject => ({
  type: 'string',
  pattern: ID_PATTERNS[ids],
  description: `The id of a node${types ? ` of type ${types.join(' or ')}` : ''}, or \`me\` for the viewer.`,
})

/** Returns the declared limits of numbers, texts and lists. */
const createLimits = ({
  min,
  max,
  maxLength,
  maxItems,
}: NonNullable<Parameter['forActions']>): JsonObject => ({
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
  ...(maxLength !== undefined && { maxLength }),
  ...(maxItems !== undefined && { maxItems }),
})

/** Returns the schema of the values that are not null. */
const toPresentSchema = (ids: IdKind, { kind, type, types, forActions = {} }: Parameter): JsonObject => {
  const { items, members } = forActions
  if (kind === 'datetime') return datetimeSchema
  if (kind === 'id' || kind === 'node') return createIdSchema(ids, types)
  if (members !== undefined) return createParametersSchema(ids, members)
  const schema =
    items === undefined ? toValueSchema(type).schema : { type: 'array', items: toRequestSchema(ids, items) }
  return { ...schema, ...createLimits(forActions) }
}

/** Returns the schema of the values that a request may send. */
export const toRequestSchema = (ids: IdKind, parameter: Parameter): JsonObject => {
  const schema = toPresentSchema(ids, parameter)
  return parameter.forActions?.nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
}

/** Returns a default as a request would send it. */
export const toRequestDefault = ({ kind, default: value }: Parameter) =>
  kind === 'datetime' && typeof value === 'number' ? new Date(value).toISOString() : value

/** Creates the schema of an object whose members are parameters. It has no other members. */
export const createParametersSchema = (ids: IdKind, parameters: Parameters): JsonObject => {
  const members = Object.entries(parameters)
  const properties = members.map(([name, parameter]) => {
    const schema = toRequestSchema(ids, parameter)
    const description = joinSentences(parameter.description, schema.description)
    const defaultValue = toRequestDefault(parameter)
    return [
      name,
      {
        ...schema,
        ...(description !== '' && { description }),
        ...(defaultValue !== undefined && { default: defaultValue }),
      },
    ] as const
  })
  const required = members.flatMap(([name, parameter]) => (parameter.required ? [name] : []))
  return createObjectSchema(Object.fromEntries(properties), required)
}
