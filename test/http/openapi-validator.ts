import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/openapi-3-1'
import type { JsonObject } from '../../src/base/json.ts'
import { createOpenApi } from '../../src/http/openapi/open-api.ts'
import type { Schema } from '../../src/schema/schema.ts'

export const LIMITS = { length: 8192, page: 100, ids: 50, batch: 50 }

/** Creates the document of a schema as a client receives it: parsed from its text. */
export const createDocument = (schema: Schema, version = schema.versions.at(-1) ?? ''): JsonObject =>
  JSON.parse(
    JSON.stringify(createOpenApi(schema, { version, baseUrl: 'https://api.example/graph', limits: LIMITS })),
  )

/** Returns the places at which a value does not match a schema, or an empty list if it matches. */
export type Validator = (value: unknown) => readonly string[]

const createValidator = async (uri: string): Promise<Validator> => {
  const validateValue = await validate(uri)
  return value => {
    // The validator accepts only JSON values, as in a response.
    const output = validateValue(JSON.parse(JSON.stringify(value)), 'BASIC')
    if (output.valid) return []
    const found = output.errors?.map(({ keyword, instanceLocation }) => `${instanceLocation} ${keyword}`)
    return ['does not fit', ...(found ?? [])]
  }
}

/** Creates a validator of whole documents. */
export const createDocumentValidator = (): Promise<Validator> =>
  createValidator('https://spec.openapis.org/oas/3.1/schema-base')

const DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base'

/** Runs a function with validators of the schemas inside a document, each found by its JSON pointer. */
export const withValidators = async <T>(
  document: JsonObject,
  use: (validatorAt: (pointer: string) => Promise<Validator>) => Promise<T>,
): Promise<T> => {
  const uri = `https://documents.example/${crypto.randomUUID()}`
  registerSchema(JSON.parse(JSON.stringify(document)), uri, DIALECT)
  try {
    return await use(pointer => createValidator(`${uri}#${encodeURI(pointer)}`))
  } finally {
    unregisterSchema(uri)
  }
}

/** Escapes a part of a JSON pointer. */
export const escapePointerPart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** Returns the pointer to the schema of a path's response with status 200. */
export const responsePointer = (path: string, method = 'get'): string =>
  `/paths/${escapePointerPart(path)}/${method}/responses/200/content/application~1json/schema`

/** Returns the pointer to a schema component. */
export const schemaPointer = (name: string): string => `/components/schemas/${name}`

/** Returns every object inside a value, with its pointer. */
export const findObjects = (
  value: unknown,
  pointer = '',
): readonly (readonly [pointer: string, object: { readonly [name: string]: unknown }])[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, member]) =>
    findObjects(member, `${pointer}/${escapePointerPart(name)}`),
  )
  return Array.isArray(value) ? inside : [[pointer, Object.fromEntries(Object.entries(value))], ...inside]
}

/** Returns the value at a pointer. */
export const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (inside, part) =>
        typeof inside === 'object' && inside !== null && Object.hasOwn(inside, part)
          ? Object.entries(inside).find(([name]) => name === part)?.[1]
          : undefined,
      value,
    )
