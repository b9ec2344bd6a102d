import { edge, collection as ordinaryCollection, parameter } from 'kithgraph'
import { back, collection, fromParameter, notNull, through } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import { account, errorsOf, type Mistake, odd, photo } from '../../helpers/wrong-tables.ts'

const MISTAKES: readonly Mistake[] = [
  [
    'an unknown target of an edge',
    { account: { ...account, edges: { photos: back('phto', 'owner_id') } }, photo },
    'account.photos: each target must be a type of the schema; received "phto"; did you mean photo?',
  ],
  [
    'an unknown join table',
    { account: { ...account, edges: { following: through('folow', 'a', 'account', 'b') } } },
    'account.following: the join table must be a table of the description; received "folow"; did you mean follow?',
  ],
  [
    'an unknown column of an order',
    { account: { ...account, edges: { photos: back('photo', 'owner_id', { by: 'createdat' }) } }, photo },
    'account.photos: "by" must be a column of photo; received "createdat"; did you mean created_at?',
  ],
  [
    'an order that may be NULL',
    { account: { ...account, edges: { photos: back('photo', 'owner_id', { by: 'taken_at' }) } }, photo },
    'account.photos: "nulls" must be "skip" or "end", since taken_at may be NULL; received undefined',
  ],
  [
    'a further order that may be NULL',
    {
      account: {
        ...account,
        edges: { photos: back('photo', 'owner_id', { orders: { taken: { by: 'taken_at' } } }) },
      },
      photo,
    },
    'account.photos.taken: "nulls" must be "skip" or "end", since taken_at may be NULL; received undefined',
  ],
  [
    'nulls without an order',
    { account: { ...account, edges: { photos: back('photo', 'owner_id', { nulls: 'end' }) } }, photo },
    'account.photos: "nulls" must be left out without "by"; received "end"',
  ],
  [
    'an unknown place of the rows without a value',
    {
      account: {
        ...account,
        edges: { photos: back('photo', 'owner_id', { by: 'created_at', nulls: 'last' } as never) },
      },
      photo,
    },
    'account.photos: "nulls" must be one of "skip", "end"; received "last"',
  ],
  [
    'an unknown place of the rows without a value in an order',
    {
      account: {
        ...account,
        edges: {
          photos: back('photo', 'owner_id', {
            orders: { taken: { by: 'taken_at', nulls: 'last' } },
          } as never),
        },
      },
      photo,
    },
    'account.photos: "orders.taken.nulls" must be one of "skip", "end"; received "last"',
  ],
  [
    'an order by JSON',
    { odd: { ...odd, edges: {} } },
    'root.all: "by" must be a column whose values have an order; received "map" of the type jsonb',
    { collections: { all: collection('odd', { by: 'map' }) } },
  ],
  [
    'an order by a range',
    { odd },
    'root.all: "by" must be a column whose values have an order; received "span" of the type tstzrange',
    { collections: { all: collection('odd', { by: 'span' }) } },
  ],
  [
    'an order by an array',
    { odd: { ...odd, fields: { tags: true } } },
    'root.all: "by" must be a column whose values have an order; received "tags" of the type text[]',
    { collections: { all: collection('odd', { by: 'tags' }) } },
  ],
  [
    'an order by a time that is read as text',
    { odd },
    'root.all: "as" must be left out for a column of the type timestamptz; received "text"',
    { collections: { all: collection('odd', { by: 'at', as: 'text' } as never) } },
  ],
  [
    'an unknown column of the key of a join table',
    {
      account: {
        ...account,
        edges: {
          photos: through({ table: 'visit', key: 'id' }, 'account_id', 'photo', 'photo_id', {
            where: { kind: 'long' },
          }),
        },
      },
      photo,
    },
    'account.photos: "key" must be a column of visit; received "id"',
  ],
  [
    'a join table with several rows for a pair',
    {
      account: { ...account, edges: { visited: through('visit', 'account_id', 'photo', 'photo_id') } },
      photo,
    },
    'account.visited: each pair of source and target must be in at most one row of the join table; received rows of visit that may have equal account_id, photo_id; go through a view of the distinct pairs, or make the table a type of its own',
  ],
  [
    'an unused parameter',
    {
      account: {
        ...account,
        edges: { photos: back('photo', 'owner_id', { parameters: { state: parameter.enum(['draft']) } }) },
      },
      photo,
    },
    'account.photos: "parameters.state" must be used in "where" with fromParameter; received no use of it',
  ],
  [
    'a parameter with infinitely many values',
    {
      account: {
        ...account,
        edges: {
          photos: back('photo', 'owner_id', {
            parameters: { state: parameter.string() },
            where: { state: fromParameter('state') },
          }),
        },
      },
      photo,
    },
    'account.photos: "parameters.state" must be an enum or a bool; received a parameter of the kind string',
  ],
  [
    'an unknown parameter',
    {
      account: {
        ...account,
        edges: { photos: back('photo', 'owner_id', { where: { state: fromParameter('stat') } } as never) },
      },
      photo,
    },
    'account.photos: "where" must be fromParameter with a name in "parameters", which are empty; received "stat"',
  ],
  [
    'a misspelled parameter',
    {
      account: {
        ...account,
        edges: {
          photos: back('photo', 'owner_id', {
            parameters: { state: parameter.enum(['draft']), named: parameter.bool() },
            where: {
              state: fromParameter('stat'),
              caption: fromParameter('state'),
              width: fromParameter('named'),
            },
          } as never),
        },
      },
      photo,
    },
    'account.photos: "where" must be fromParameter with a name in "parameters", one of "state", "named"; received "stat"; did you mean state?',
  ],
  [
    'a count column that is no integer',
    {
      account: { ...account, edges: { photos: back('photo', 'owner_id', { count: { column: 'name' } }) } },
      photo,
    },
    'account.photos: "count.column" must be an integer column of account; received name of the type text',
  ],
  [
    'a count of a wrong form',
    { account: { ...account, edges: { photos: back('photo', 'owner_id', { count: 0 }) } }, photo },
    'account.photos: "count" must be an integer of at least 1, "exact" or { column }; received 0',
  ],
  [
    'a count column of a collection',
    { photo },
    'root.all: "count" must be an integer of at least 1 or "exact"; received an object with column',
    { collections: { all: collection('photo', { count: { column: 'width' } } as never) } },
  ],
  [
    'an edge of a schema',
    { account: { ...account, edges: { photos: edge('photo') } }, photo },
    'account.photos: the edge must be an edge that back() or through() of kithgraph/tables returns; received an object with targets, description, defaults, order, orders, scope, policy…',
  ],
  [
    'a collection of a schema',
    { photo },
    'root.all: the collection must be a collection that collection() of kithgraph/tables returns; received an object with targets, description, defaults, order, orders, scope, policy…',
    { collections: { all: ordinaryCollection('photo') } },
  ],
  [
    'a computed edge',
    {
      account: { ...account, edges: { photos: back('photo', 'owner_id', { resolve: () => [] } as never) } },
      photo,
    },
    'account.photos: options must be one of "description", "defaults", "scope", "policy", "order", "by", "as", "nulls", "orders", "where", "parameters", "count"; received "resolve"',
  ],
  [
    'a wrong direction of an order',
    {
      account: {
        ...account,
        edges: {
          photos: back('photo', 'owner_id', { orders: { named: { by: 'state', direction: 'up' } } } as never),
        },
      },
      photo,
    },
    'account.photos: "orders.named.direction" must be one of "descending", "ascending"; received "up"',
  ],
  [
    'an unknown default order',
    { account: { ...account, edges: { photos: back('photo', 'owner_id', { order: 'best' }) } }, photo },
    'account.photos: "order" must be one of "chronological", "reverse_chronological"; received "best"',
  ],
  [
    'an entry field of the name of a field of the target',
    {
      account: {
        ...account,
        edges: {
          following: through('follow', 'follower_id', 'account', 'followee_id', {
            fields: { name: { column: 'note' } },
          }),
        },
      },
    },
    'account.following.name: the name must be different from the fields and edges of the targets; received a field or edge of account',
  ],
  [
    'an edge that is null',
    { account: { ...account, edges: { photos: null } } },
    'account.photos: the edge must be an edge that back() or through() of kithgraph/tables returns; received null',
  ],
  [
    'a collection that is null',
    { photo },
    'root.all: the collection must be a collection that collection() of kithgraph/tables returns; received null',
    { collections: { all: null } },
  ],
  [
    'too many combinations of parameters',
    {
      account: {
        ...account,
        edges: {
          photos: back('photo', 'owner_id', {
            parameters: { words: parameter.enum(Array.from({ length: 64 }, (_, index) => `w${index}`)) },
            where: { caption: fromParameter('words') },
          }),
        },
      },
      photo,
    },
    'account.photos: the number of combinations of parameters must be at most 64; received 65',
  ],
  [
    'a parameter of a wrong kind',
    {
      account: {
        ...account,
        edges: { photos: back('photo', 'owner_id', { parameters: { state: 'draft' } } as never) },
      },
      photo,
    },
    'account.photos: "parameters.state" must be a parameter, such as the result of parameter.int(); received "draft"',
  ],
  [
    'a form without an order',
    { account: { ...account, edges: { photos: back('photo', 'owner_id', { as: 'iso' }) } }, photo },
    'account.photos: "as" must be left out without "by"; received "iso"',
  ],
  [
    'a form of an order that its column cannot have',
    {
      account: {
        ...account,
        edges: { photos: back('photo', 'owner_id', { by: 'created_at', as: 'unixMs' }) },
      },
      photo,
    },
    'account.photos: "as" must be left out for a column of the type timestamptz; received "unixMs"',
  ],
  [
    'the name of an order that every edge has',
    {
      account: {
        ...account,
        edges: { photos: back('photo', 'owner_id', { orders: { chronological: { by: 'created_at' } } }) },
      },
      photo,
    },
    'account.photos: "orders.chronological" must be named with a-z, 0-9 and _, beginning with a letter, and not like an order that every edge has; received "chronological"',
  ],
  [
    'an order of a wrong form',
    {
      account: {
        ...account,
        edges: { photos: back('photo', 'owner_id', { orders: { newest: 'created_at' } } as never) },
      },
      photo,
    },
    'account.photos: "orders.newest" must be an object; received "created_at"',
  ],
  [
    'two entry fields of one name',
    {
      account: {
        ...account,
        edges: {
          following: through('follow', 'follower_id', 'account', 'followee_id', {
            fields: { createdAt: true, created_at: true },
          }),
        },
      },
    },
    'account.following: the names of fields must be different; received two fields with the name created_at',
    { names: 'camel' },
  ],
]

describe('the declaration of a list over tables', () => {
  it.each(MISTAKES.map(([mistake, types, error, options = {}]) => [mistake, types, error, options] as const))(
    'rejects %s with one error',
    (_mistake, types, error, options) => {
      expect(errorsOf(types, options)).toEqual([error])
    },
  )

  it('accepts a declared key, and constants that make the rows of a join table unique', () => {
    const pair = through('visit', 'account_id', 'photo', 'photo_id', { where: { kind: 'long' } })
    const types = {
      account: { ...account, edges: { pair } },
      photo,
      log: { over: { table: 'log', key: ['at', 'text'] }, fields: {} },
    }
    expect(errorsOf(types)).toEqual([
      expect.stringContaining('received at of the type timestamptz; declare other columns'),
    ])
  })

  it('accepts a declared key of a join table whose primary key shows that each pair has one row', () => {
    const join = { table: 'follow', key: 'created_at' }
    const following = through(join, 'follower_id', 'account', 'followee_id')
    expect(errorsOf({ account: { ...account, edges: { following } } })).toEqual([])
  })

  it('accepts an order of a column that may be NULL if a filter excludes NULL', () => {
    const photos = back('photo', 'owner_id', { by: 'taken_at', where: { taken_at: notNull } })
    expect(errorsOf({ account: { ...account, edges: { photos } }, photo })).toEqual([])
  })
})
