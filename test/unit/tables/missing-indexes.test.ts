import { back, collection, defineTables } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import { checkStructure } from '../../../src/tables/check/check-structure.ts'

const plain = { schema: 'public', uniques: [], indexes: [] } as const
const database = {
  dialect: 'postgres',
  tables: {
    account: { ...plain, name: 'account', columns: { id: { type: 'int8' } }, key: ['id'], foreignKeys: [] },
    photo: {
      ...plain,
      name: 'photo',
      columns: {
        id: { type: 'int8' },
        owner_id: { type: 'int8' },
        state: { type: 'text' },
        kind: { type: 'text' },
      },
      key: ['id'],
      foreignKeys: [{ columns: ['owner_id'], table: 'account', references: ['id'] }],
    },
  },
} as const

describe('the missing indexes of lists', () => {
  const { tables } = defineTables(
    database,
    {
      account: {
        over: 'account',
        fields: {},
        edges: {
          drafts: back('photo', 'owner_id', { where: { state: 'draft', kind: 'plain' } }),
          plain: back('photo', 'owner_id', { where: { kind: 'plain', state: 'public' } }),
          photos: back('photo', 'owner_id'),
        },
      },
      photo: { over: 'photo', fields: {} },
    },
    {
      collections: {
        photos: collection('photo', { where: { state: 'public', kind: 'plain' }, by: 'owner_id' }),
      },
    },
  )
  const missing = checkStructure(tables['~model'], database, []).flatMap(finding =>
    finding.kind === 'missingIndex' ? [finding] : [],
  )

  it('are one for all lists that one index serves, whatever the order of its first columns', () => {
    expect(missing.map(({ lists, statement }) => [statement, lists])).toEqual([
      ['create index on "public"."photo" ("owner_id", "id")', ['account.photos']],
      [
        'create index on "public"."photo" ("state", "kind", "owner_id", "id")',
        ['account.drafts', 'account.plain', 'root.photos'],
      ],
    ])
  })
})
