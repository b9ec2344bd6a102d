import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/openapi-3-1'
import type { JsonObject } from '../../src/base/json.ts'
import { openApiOf } from '../../src/http/openapi/open-api.ts'
import type { Schema } from '../../src/schema/schema.ts'

export const LIMITS = { length: 8192, page: 100, ids: 50, batch: 50 }

/** The document of a schema, as a client gets it: through its text. */
export const documentOf = (schema: Schema, version = schema.versions.at(-1) ?? ''): JsonObject =>
  JSON.parse(
    JSON.stringify(openApiOf(schema, { version, baseUrl: 'https://api.example/graph', limits: LIMITS })),
  )

/** Where a value departs from a schema: nothing, where it fits. */
export type Judge = (value: unknown) => readonly string[]

const judgeOf = async (uri: string): Promise<Judge> => {
  const judge = await validate(uri)
  return value => {
    // The validator takes JSON alone: what an answer is once it was sent.
    const output = judge(JSON.parse(JSON.stringify(value)), 'BASIC')
    if (output.valid) return []
    const found = output.errors?.map(({ keyword, instanceLocation }) => `${instanceLocation} ${keyword}`)
    return ['does not fit', ...(found ?? [])]
  }
}

/** Judges whole documents. */
export const documentJudge = (): Promise<Judge> => judgeOf('https://spec.openapis.org/oas/3.1/schema-base')

const DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base'

/** Lends judges of the schemas inside a document, each found by its JSON pointer. */
export const withJudges = async <T>(
  document: JsonObject,
  use: (judgeAt: (pointer: string) => Promise<Judge>) => Promise<T>,
): Promise<T> => {
  const uri = `https://documents.example/${crypto.randomUUID()}`
  registerSchema(JSON.parse(JSON.stringify(document)), uri, DIALECT)
  try {
    return await use(pointer => judgeOf(`${uri}#${encodeURI(pointer)}`))
  } finally {
    unregisterSchema(uri)
  }
}

/** A part of a JSON pointer. */
export const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** The pointer to what a path answers with status 200. */
export const answerAt = (path: string, method = 'get'): string =>
  `/paths/${escaped(path)}/${method}/responses/200/content/application~1json/schema`

/** The pointer to a component that describes values. */
export const schemaAt = (name: string): string => `/components/schemas/${name}`

/** Every object inside a value, with its pointer. */
export const objectsIn = (
  value: unknown,
  pointer = '',
): readonly (readonly [pointer: string, object: { readonly [name: string]: unknown }])[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, member]) =>
    objectsIn(member, `${pointer}/${escaped(name)}`),
  )
  return Array.isArray(value) ? inside : [[pointer, Object.fromEntries(Object.entries(value))], ...inside]
}

/** What stands at a pointer. */
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
