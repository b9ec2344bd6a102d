import fc, { type Arbitrary } from 'fast-check'
import { defineSchema } from 'kithgraph'
import type { IdKind } from '../../src/base/ids.ts'
import type { Schema } from '../../src/schema/schema.ts'
import { socialSchema } from '../../src/schema/social/social-schema.ts'
import { idOf } from '../helpers/id-kinds.ts'

type Values = { readonly [name: string]: unknown }
export type NodeInput = { readonly id: string; readonly type: string; readonly fields: Values }
type EdgeInput = {
  readonly source: string
  readonly name: string
  readonly target: string
  readonly time: number | string
}
export type LoadLine = { readonly node: NodeInput } | { readonly edge: EdgeInput }

const record = <T extends object>(members: { [K in keyof T]: Arbitrary<T[K]> }) =>
  fc.record<T>(members, { noNullPrototype: true })

export const time = fc.integer({ min: -8.64e15, max: 8.64e15 })
export const datetime = fc.oneof(
  time,
  fc.date({ noInvalidDate: true }).map(date => date.toISOString()),
)
export const text = fc.string({ unit: 'binary', maxLength: 12 })
export const url = fc.constantFrom('/', '/a?b=c', 'https://example.com/ü', 'mailto:ada@example.com')
const length = fc.integer({ min: 1, max: 4000 })
const size = record({ url, width: length, height: length })
export const picture = fc.oneof(size, fc.array(size, { minLength: 1, maxLength: 3 }))
export const date = fc
  .date({ min: new Date('1800-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10))
export const birthday = fc.oneof(
  date,
  date.map(text => text.slice(0, 4)),
  date.map(text => text.slice(5).replace('-', '/')),
  record({ date, show: fc.constantFrom('full', 'year', 'day') }),
)
const image = record({ source: url, width: length, height: length })

/** Ids greater than 1, so that no node has the id 1. */
const id = fc.bigInt({ min: 2n, max: 2n ** 63n - 1n }).map(String)
export const ABSENT = '1'

/** A random selection of the fields. `name` is always included, because some types require it. */
const values = (members: { readonly [name: string]: Arbitrary<unknown> }): Arbitrary<Values> =>
  fc.record(
    { name: text, ...members },
    { requiredKeys: 'name' in members ? ['name'] : [], noNullPrototype: true },
  )

const published = { created_time: datetime, from: id, updated_time: datetime, link: url, picture }
const fieldsOf: { readonly [type: string]: Arbitrary<Values> } = {
  user: values({ name: text, email: text, birthday, picture, link: url, updated_time: datetime }),
  page: values({ name: text, about: text, created_time: datetime }),
  group: values({ name: text, description: text, picture }),
  post: fc.record(
    { ...published, message: text, to: id, type: text },
    { requiredKeys: [], noNullPrototype: true },
  ),
  photo: fc.record(
    { ...published, height: length, width: length, images: fc.array(image, { maxLength: 3 }) },
    { requiredKeys: [], noNullPrototype: true },
  ),
  comment: fc.record(
    { created_time: datetime, message: text, from: id, parent: id },
    { requiredKeys: [], noNullPrototype: true },
  ),
}

const node: Arbitrary<NodeInput> = fc
  .constantFrom(...Object.keys(fieldsOf))
  .chain(type => record({ id, type: fc.constant(type), fields: fieldsOf[type] ?? fc.constant({}) }))

/** Returns every edge that the schema allows between the nodes. */
const edgesBetween = (nodes: readonly NodeInput[]): readonly Omit<EdgeInput, 'time'>[] =>
  nodes.flatMap(({ id: source, type }) =>
    Object.entries(edgesOf(type)).flatMap(([name, { targets }]) =>
      nodes.filter(node => targets.includes(node.type)).map(({ id: target }) => ({ source, name, target })),
    ),
  )

type SchemaEdge = {
  readonly targets: readonly string[]
  readonly symmetric: boolean
  readonly inverse: string | undefined
}

/** The edges of a type of the social schema. */
export const edgesOf = (type: string): { readonly [name: string]: SchemaEdge } => {
  const found = Object.entries(socialSchema.types).find(([name]) => name === type)
  if (found === undefined) throw new TypeError(`no type ${type}`)
  return found[1].edges
}

/** Valid nodes of the social schema, followed by valid edges between them. Their ids are digits. */
export const graph: Arbitrary<readonly LoadLine[]> = fc
  .uniqueArray(node, { minLength: 1, maxLength: 12, selector: ({ id }) => id })
  .chain(nodes => {
    const possible = edgesBetween(nodes)
    const edges =
      possible.length === 0
        ? fc.constant([])
        : fc.array(fc.tuple(fc.constantFrom(...possible), datetime), { maxLength: 20 })
    return edges.map(edges => [
      ...nodes.map(node => ({ node })),
      ...edges.map(([edge, time]) => ({ edge: { ...edge, time } })),
    ])
  })

/** The social schema with each kind of ids. */
export const SOCIAL_SCHEMAS: { readonly [kind in IdKind]: Schema } = {
  digits: socialSchema,
  named: defineSchema(socialSchema.types, { ids: 'named', versions: [...socialSchema.versions] }),
}

/** A type that each ref may lead to. */
const REF_TYPES: { readonly [name: string]: string } = { from: 'user', to: 'page', parent: 'comment' }

/** Returns the lines of a graph of digits with ids of a kind. */
export const withLineIds = (kind: IdKind, lines: readonly LoadLine[]): readonly LoadLine[] => {
  const types = new Map(
    lines.flatMap(line => ('node' in line ? [[line.node.id, line.node.type] as const] : [])),
  )
  const change = (id: string): string => idOf(kind, types.get(id) ?? '', id)
  return lines.map(line => {
    if ('edge' in line)
      return { edge: { ...line.edge, source: change(line.edge.source), target: change(line.edge.target) } }
    const { id, type, fields } = line.node
    const changedFields = Object.entries(fields).map(([name, value]) => {
      const refType = REF_TYPES[name]
      return [name, refType === undefined ? value : idOf(kind, refType, `${value}`)] as const
    })
    return { node: { id: change(id), type, fields: Object.fromEntries(changedFields) } }
  })
}
