import { describe, expect, it } from 'vitest'
import { compile } from './compiler.ts'

const IMPORTS = `
  import type { Graph } from '../../src/graph-interface.ts'
  import { defineSchema } from '../../src/schema/define-schema.ts'
  import { edge } from '../../src/schema/edge.ts'
  import { field } from '../../src/schema/field-builders.ts'
  import { node } from '../../src/schema/node.ts'
  import { socialSchema } from '../../src/schema/social/social-schema.ts'
  void [defineSchema, edge, field, node, socialSchema]
`
const CALLS = 28
const TYPES = 200

const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

/** Adds typos to the names and limits of calls. */
const replaceWithTypo = (calls: string): string =>
  calls.replaceAll('name', 'nmae').replaceAll('limit(', 'limt(')

const EXPRESSIONS = {
  user: 'id,name,email,photos.limit(2){from{name,link},likes.summary(true),comments}',
  page: 'name,about,posts.limit(5){message,from,likes.limit(0).summary(true){name}}',
  group: 'name,members{joined,name},feed.limit(3){from,to,message}',
  post: 'message,created_time,comments.limit(10){message,from{name,picture.width(50)}}',
  photo: 'picture,images,likes,comments.limit(3){from{name},message,comments{message}}',
  comment: 'message,parent,from{name},likes.summary(true)',
}
const social = Object.entries(EXPRESSIONS)

const SOCIAL = `${IMPORTS} declare const graph: Graph<typeof socialSchema>;`
const SOCIAL_CALLS = repeat(CALLS, index => {
  const [type, fields] = social[index % social.length] ?? []
  return `graph.getNode('token', { id: '1', type: '${type}', fields: '${fields}' })`
})

const typeAt = (index: number): string => `t${index % TYPES}`
const LARGE = `${IMPORTS}
  const schema = defineSchema({
    ${repeat(
      TYPES,
      index => `${typeAt(index)}: node({
        fields: {
          name: field.string({ default: true, required: true }), born: field.datetime(), size: field.int(),
          kind: field.enum(['a', 'b']), owner: field.ref('${typeAt(index + 1)}'),
          by: field.ref(['${typeAt(index + 2)}', '${typeAt(index + 3)}']),
        },
        edges: { likes: edge('${typeAt(index * 7 + 1)}'), parts: edge('${typeAt(index * 3 + 2)}', { defaults: ['born'] }) },
      }),`,
    )}
  })
  declare const graph: Graph<typeof schema>;
`
const DEEP = 'id,name,born,owner{name,kind},likes.limit(5){name,by{name},parts{size}},parts.limit(3).as(few)'
const LARGE_CALLS = repeat(
  CALLS,
  index => `graph.getNode('token', { id: '1', type: '${typeAt(index * 7)}', fields: '${DEEP}' })`,
)

const EDGE_PARAMETERS = `${IMPORTS}
  import { parameter } from '../../src/schema/parameter-builders.ts'
  const schema = defineSchema({
    ${repeat(
      TYPES,
      index => `${typeAt(index)}: node({
        fields: { name: field.string({ default: true, required: true }), size: field.int() },
        edges: {
          likes: edge('${typeAt(index * 7 + 1)}', {
            parameters: { kind: parameter.enum(['a', 'b'], { default: 'a' }) },
            list: ({ kind }) => \`likes_\${kind}\`,
          }),
          parts: edge('${typeAt(index * 3 + 2)}', {
            fields: { size: field.int() },
            parameters: { smallest: parameter.int({ required: true }), text: parameter.string(), by: parameter.id() },
            where: ({ data }, { smallest }) => Number(data.size) >= smallest,
          }),
        },
      }),`,
    )}
  })
  declare const graph: Graph<typeof schema>;
`
const PARAMETER_CALLS = repeat(
  CALLS,
  index => `
    graph.getEdge('token', { id: '1', type: '${typeAt(index * 7)}', edge: 'likes', parameters: { kind: 'b' }, fields: 'name' })
    graph.hasEdge('token', { id: '1', type: '${typeAt(index)}', edge: 'parts', target: '2', parameters: { smallest: 1, by: 'me' } })
    graph.getNode('token', { id: '1', type: '${typeAt(index)}', fields: 'likes.kind(b){name,parts.smallest(5).limit(2)}' })`,
)

const TABLES = `
  import type { Graph } from '../../src/graph-interface.ts'
  import { ref } from '../../src/tables/declare/fields.ts'
  import { back, through } from '../../src/tables/declare/create-lists.ts'
  import { defineTables } from '../../src/tables/define-tables.ts'
  import type { DatabaseDescription } from '../../src/tables/description/database-description.ts'
  const db = {
    dialect: 'postgres',
    tables: {${repeat(
      TYPES,
      index => `${typeAt(index)}: {
        name: '${typeAt(index)}',
        schema: 'public',
        columns: {
          id: { type: 'int8', default: true }, owner_id: { type: 'int8', nullable: true }, name: { type: 'text' },
          about: { type: 'text', nullable: true }, size: { type: 'int4', nullable: true },
          kind: { type: 'enum', labels: ['a', 'b'], sqlType: '"public"."kind"' },
          born: { type: 'timestamptz', nullable: true }, settings: { type: 'jsonb', default: true },
          price: { type: 'numeric', scale: 2, nullable: true }, created_at: { type: 'timestamptz', default: true },
        },
        key: ['id'],
        foreignKeys: [{ columns: ['owner_id'], table: '${typeAt(index + 1)}', references: ['id'] }],
        uniques: [],
        indexes: [{ columns: ['id'] }, { columns: ['owner_id', 'created_at', 'id'] }],
      },`,
    )}},
  } as const satisfies DatabaseDescription
  const { schema } = defineTables(db, {${repeat(
    TYPES,
    index => `${typeAt(index)}: {
      over: '${typeAt(index)}',
      where: { name: ['x'] },
      fields: {
        name: { default: true }, about: true, size: true, kind: true, born: true, settings: true, price: true,
        created_time: { column: 'created_at' }, owner: ref('${typeAt(index + 1)}', 'owner_id'),
        number: { column: 'id' },
      },
      edges: {
        parts: back('${typeAt(index + TYPES - 1)}', 'owner_id', { by: 'created_at' }),
        aged: back('${typeAt(index + TYPES - 1)}', 'owner_id', { by: 'born', nulls: 'end', defaults: ['born'] }),
        named: back('${typeAt(index + TYPES - 1)}', 'owner_id', { by: 'name', where: { kind: 'a' } }),
        likes: through('${typeAt(index * 7 + 1)}', 'id', '${typeAt(index * 3 + 2)}', 'owner_id', {
          by: 'created_at',
          fields: { price: true },
        }),
      },
    },`,
  )}})
  declare const graph: Graph<typeof schema>
  void graph
`
const TABLE_CALLS = LARGE_CALLS.replaceAll('by{name}', 'owner{name}')

/**
 * Measured numbers plus 10%. If a number exceeds its budget, simplify the type or justify a larger budget.
 */
describe.each([
  { what: 'calls on the social schema', text: SOCIAL + SOCIAL_CALLS, errorCount: 0, budget: 17_500 },
  {
    what: 'mistyped calls on the social schema',
    text: SOCIAL + replaceWithTypo(SOCIAL_CALLS),
    errorCount: CALLS,
    budget: 18_500,
  },
  { what: 'a schema of 200 types', text: LARGE, errorCount: 0, budget: 51_000 },
  {
    what: 'calls on a schema of 200 types',
    text: LARGE + LARGE_CALLS,
    errorCount: 0,
    budget: 105_000,
  },
  {
    what: 'mistyped calls on a schema of 200 types',
    text: LARGE + replaceWithTypo(LARGE_CALLS),
    errorCount: CALLS,
    budget: 100_500,
  },
  {
    what: 'getMe with 200 viewer types',
    text: `${LARGE} graph.getMe('token', { fields: '${DEEP}' })`,
    errorCount: 0,
    budget: 152_000,
  },
  {
    what: 'a graph of 200 types as AnyGraph',
    text: `${LARGE} const any: import('../../src/graph-interface.ts').AnyGraph = graph; void any`,
    errorCount: 0,
    budget: 69_000,
  },
  {
    what: 'a schema of 200 types whose edges have parameters',
    text: EDGE_PARAMETERS,
    errorCount: 0,
    budget: 57_000,
  },
  {
    what: 'calls with parameters on a schema of 200 types',
    text: EDGE_PARAMETERS + PARAMETER_CALLS,
    errorCount: 0,
    budget: 333_500,
  },
  {
    what: 'mistyped calls with parameters on a schema of 200 types',
    text: EDGE_PARAMETERS + PARAMETER_CALLS.replaceAll(/kind: |by: |kind\(/g, name => `x${name}`),
    errorCount: 3 * CALLS,
    budget: 337_000,
  },
  { what: 'a declaration over 200 tables', text: TABLES, errorCount: 0, budget: 60_000 },
  { what: 'calls on 200 tables', text: TABLES + TABLE_CALLS, errorCount: 0, budget: 130_000 },
  {
    what: 'mistyped calls on 200 tables',
    text: TABLES + replaceWithTypo(TABLE_CALLS),
    errorCount: CALLS,
    budget: 130_000,
  },
])('the compilation of $what', ({ text, errorCount, budget }) => {
  const { errors, instantiations } = compile({ 'budget.ts': text })

  it(errorCount === 0 ? 'succeeds' : 'reports an error for each call', () => {
    expect(errors.map(error => error.line)).toHaveLength(errorCount)
  })

  it(`takes at most ${budget} type instantiations, now ${instantiations}`, () => {
    expect(instantiations).toBeLessThanOrEqual(budget)
  })
})

describe('an expression whose result type is inferred', () => {
  const readFields = (fields: string): string =>
    `${SOCIAL} graph.getNode('token', { id: '1', type: 'user', fields: \`${fields}\` })`

  it('may have 200 items', () => {
    const fields = repeat(200, index => `        about.as(alias_${index})${index < 199 ? ' ,' : ''}`)
    const code = `${readFields(fields)}.then(({ alias_199 }) => { const text: string | undefined = alias_199; return text })`
    expect(compile({ 'items.ts': code }).errors).toEqual([])
  })

  it('may have 8 levels', () => {
    const nested = (fields: string, levels: number): string =>
      levels === 1 ? fields : nested(`friends.limit(2){${fields},about}`, levels - 1)
    expect(compile({ 'levels.ts': readFields(nested('name', 8)) }).errors).toEqual([])
    expect(compile({ 'levels.ts': readFields(nested('nmae', 8)) }).errors.map(({ text }) => text)).toEqual([
      expect.stringContaining(`"no field or edge 'nmae' on user"`),
    ])
  })
})
