import { type DatabaseDescription, defineTables } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import { deriveGraph } from '../../../src/tables/derive/derive-graph.ts'
import { printGraph } from '../../../src/tables/derive/print-graph.ts'
import { toDeclaration } from '../../../src/tables/derive/to-declaration.ts'

const shared = { uniques: [], indexes: [], schema: 'public' } as const
const id = { type: 'int8' } as const
const time = { type: 'timestamptz' } as const

/** Tables with a join table whose columns have the names of a field, a ref and an edge of the tables that it joins. */
const database: DatabaseDescription = {
  dialect: 'postgres',
  tables: {
    post: {
      ...shared,
      name: 'post',
      columns: { id, title: { type: 'text' }, created_at: time, author_id: id },
      key: ['id'],
      foreignKeys: [{ columns: ['author_id'], table: 'tag', references: ['id'] }],
    },
    tag: {
      ...shared,
      name: 'tag',
      columns: { id, label: { type: 'text' }, created_at: time },
      key: ['id'],
      foreignKeys: [],
    },
    post_tag: {
      ...shared,
      name: 'post_tag',
      columns: {
        post_id: id,
        tag_id: id,
        created_at: time,
        author: { type: 'text' },
        posts: { type: 'text' },
        post_tag_created_at: time,
        weight: { type: 'int4' },
      },
      key: ['post_id', 'tag_id'],
      foreignKeys: [
        { columns: ['post_id'], table: 'post', references: ['id'] },
        { columns: ['tag_id'], table: 'tag', references: ['id'] },
      ],
    },
  },
}

describe('a derived graph', () => {
  const graph = deriveGraph(database, () => 'iso')

  it('leaves a table out whose key cannot be in ids, and says which column and type it has', () => {
    const measure = { ...shared, name: 'measure', foreignKeys: [], key: ['at', 'place'] }
    const columns = { at: time, place: { type: 'text' }, value: { type: 'int4' } }
    const tables = { measure: { ...measure, columns } }
    const { leftOut, types, ...others } = deriveGraph({ dialect: 'postgres', tables }, () => 'iso')
    expect(types).toEqual([])
    expect(leftOut).toEqual([
      {
        table: 'measure',
        column: undefined,
        reason: 'keyType',
        key: { column: 'at', type: 'timestamptz' },
      },
    ])
    expect(printGraph({ leftOut, types, ...others }, './db.ts')).toContain(
      '// The table measure is left out: its key at is of the type timestamptz, whose values cannot be ids; to show it, declare over: { table, key } with columns that are unique.',
    )
  })

  it('sorts no list by a time that it leaves out, because its name suggests a secret', () => {
    const device = {
      name: 'device',
      columns: { id: { type: 'integer' }, token_created_at: { type: 'datetime' } },
      key: ['id'],
      foreignKeys: [],
      uniques: [],
      indexes: [{ columns: ['token_created_at', 'id'] }],
    }
    const sqlite: DatabaseDescription = { dialect: 'sqlite', tables: { device } }
    const derived = deriveGraph(sqlite, () => 'iso')
    expect(derived.collections).toEqual([{ name: 'devices', target: 'device', sort: undefined }])
    const { types, options } = toDeclaration(derived)
    expect(() => defineTables(sqlite, types, options)).not.toThrow()
  })

  it('is valid if columns of a join table have the names of fields and edges of its targets', () => {
    const { types, options } = toDeclaration(graph)
    expect(() => defineTables(database, types, options)).not.toThrow()
  })

  it('gives such columns names that begin with that of the join table', () => {
    const fields = graph.types.flatMap(({ name, edges }) =>
      edges.flatMap(edge =>
        edge.kind === 'through' ? [[`${name}.${edge.name}`, edge.fields.map(field => field.name)]] : [],
      ),
    )
    expect(Object.fromEntries(fields)).toEqual({
      'post.tags': [
        'post_tag_created_at',
        'author',
        'post_tag_posts',
        'post_tag_post_tag_created_at',
        'weight',
      ],
      'tag.post_tags': [
        'post_tag_created_at',
        'post_tag_author',
        'posts',
        'post_tag_post_tag_created_at',
        'weight',
      ],
    })
  })
})
