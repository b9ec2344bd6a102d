import { edge, field, collection as ordinaryCollection, parameter } from 'kithgraph'
import {
  back,
  collection,
  type DatabaseDescription,
  defineTables,
  fromParameter,
  fromSession,
  json,
  notNull,
  ref,
  through,
} from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import { studioDescription } from '../../helpers/studio-description.ts'

const plain = { foreignKeys: [], uniques: [], indexes: [] } as const

/** The tables of the studio, and some that only declarations with errors use. */
const postgres: DatabaseDescription = {
  dialect: 'postgres',
  tables: {
    ...studioDescription.tables,
    log: { ...plain, name: 'log', columns: { at: { type: 'timestamptz' }, text: { type: 'text' } }, key: [] },
    measure: { ...plain, name: 'measure', columns: { value: { type: 'float8' } }, key: ['value'] },
    visit: {
      ...plain,
      name: 'visit',
      columns: { account_id: { type: 'int8' }, photo_id: { type: 'int4' }, kind: { type: 'text' } },
      key: [],
      uniques: [['account_id', 'photo_id', 'kind']],
    },
    slug: {
      ...plain,
      name: 'slug',
      columns: { slug: { type: 'text' }, team: { type: 'text' }, org: { type: 'int8' } },
      key: ['slug'],
      foreignKeys: [{ columns: ['team'], table: 'org', references: ['name'] }],
    },
    odd: {
      ...plain,
      name: 'odd',
      columns: {
        id: { type: 'int4' },
        span: { type: 'tstzrange' },
        wait: { type: 'interval' },
        body: { type: 'bytea' },
        where: { type: 'geometry' },
        map: { type: 'jsonb' },
        tags: { type: 'text', array: true },
        small: { type: 'int2' },
        token: { type: 'uuid' },
        on: { type: 'date' },
        at: { type: 'timestamptz' },
        ok: { type: 'bool' },
      },
      key: ['id'],
    },
  },
}

const sqlite: DatabaseDescription = {
  dialect: 'sqlite',
  tables: {
    event: {
      ...plain,
      name: 'event',
      columns: { id: { type: 'integer' }, at: { type: 'datetime' }, day: { type: 'date' } },
      key: ['id'],
    },
  },
}

const account = { over: 'account', fields: { name: true } }
const photo = { over: 'photo', fields: { caption: true } }
const odd = { over: 'odd', fields: {} }

/** Returns the lines of the error of a declaration, without types, since JavaScript has none. */
const errorsOf = (types: object, options: object = {}, db: DatabaseDescription = postgres): string[] => {
  try {
    defineTables(db, types as never, options as never)
    return []
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return error.message.split('\n- ').slice(1)
  }
}

const TIME_ZONE_ERROR = 'comment: "timeZone" must be a time zone such as Europe/Paris; received "Paris"'

/** A mistake, the declaration with this mistake, and its only error. */
type Mistake = readonly [mistake: string, types: object, error: string, options?: object]

const MISTAKES: readonly Mistake[] = [
  [
    'an unknown table',
    { photo: { ...photo, over: 'phto' } },
    'photo: "over" must be a table of the description; received "phto"; did you mean photo?',
  ],
  [
    'an unknown column',
    { photo: { over: 'photo', fields: { captoin: true } } },
    'photo.captoin: "column" must be a column of photo; received "captoin"; did you mean caption?',
  ],
  [
    'an unknown column of a field',
    { photo: { over: 'photo', fields: { title: { column: 'captoin' } } } },
    'photo.title: "column" must be a column of photo; received "captoin"; did you mean caption?',
  ],
  [
    'an inherited property as a column',
    { photo: { over: 'photo', fields: { to_string: { column: 'toString' } } } },
    'photo.to_string: "column" must be a column of photo; received "toString"',
  ],
  [
    'an unknown target of a ref',
    { photo: { over: 'photo', fields: { owner: ref('acount', 'owner_id') } }, account },
    'photo.owner: each target must be a type of the schema; received "acount"; did you mean account?',
  ],
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
    'an unknown column of a filter',
    { photo: { ...photo, where: { deletd_at: null } } },
    'photo: "where.deletd_at" must be a column of photo; received "deletd_at"; did you mean deleted_at?',
  ],
  [
    'an unknown column of an order',
    { account: { ...account, edges: { photos: back('photo', 'owner_id', { by: 'createdat' }) } }, photo },
    'account.photos: "by" must be a column of photo; received "createdat"; did you mean created_at?',
  ],
  [
    'a table without a key',
    { log: { over: 'log', fields: {} } },
    `log: "over" must be a table with a key, or over: { table: 'log', key: 'column' }; received log without a key`,
  ],
  [
    'an unknown column of a declared key',
    { log: { over: { table: 'log', key: 'id' }, fields: {} } },
    'log: "over.key" must be a column of log; received "id"',
  ],
  [
    'a key whose values cannot be ids',
    { measure: { over: 'measure', fields: {} } },
    'measure: each column of the key must be of a type whose values can be ids in postgres; received value of the type float8',
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
    'an order by JSON',
    { odd: { ...odd, edges: {} } },
    'root.all: "by" must be a column whose values have an order; received "map" of the type jsonb',
    { collections: { all: collection('odd', { by: 'map' }) } },
  ],
  [
    'a join table with several rows for a pair',
    {
      account: { ...account, edges: { visited: through('visit', 'account_id', 'photo', 'photo_id') } },
      photo,
    },
    'account.visited: each pair of source and target must be in at most one row of the join table; received rows of visit that may have equal account_id, photo_id; make it a type of its own',
  ],
  [
    'fewer columns than the key has',
    { revision: { over: 'revision', fields: { previous: ref('revision', 'previous_number') } } },
    'revision.previous: the columns must be as many as those of the key of revision, photo_id, number; received previous_number',
  ],
  [
    'columns of other types than the key without a foreign key',
    { slug: { over: 'slug', fields: { org: ref('org', 'org') } }, org: { over: 'org', fields: {} } },
    'slug.org: the columns must be of the types of the key of org (id of the type int4), or with a foreign key to it; received org of the type int8',
  ],
  [
    'a foreign key to other columns than the key',
    { slug: { over: 'slug', fields: { org: ref('org', 'team') } }, org: { over: 'org', fields: {} } },
    'slug.org: the columns must be columns with a foreign key to the key of org, id; received team, with a foreign key to name',
  ],
  [
    'a range without as',
    { odd: { over: 'odd', fields: { span: true } } },
    'odd.span: "as" must be one of "text" for a column of the type tstzrange; received undefined',
  ],
  [
    'bytes without as',
    { odd: { over: 'odd', fields: { body: true } } },
    'odd.body: "as" must be one of "text" for a column of the type bytea; received undefined',
  ],
  [
    'an interval without as',
    { odd: { over: 'odd', fields: { wait: true } } },
    'odd.wait: "as" must be one of "text" for a column of the type interval; received undefined',
  ],
  [
    'a geometry without as',
    { odd: { over: 'odd', fields: { where: true } } },
    'odd.where: "as" must be one of "text" for a column of the type geometry; received undefined',
  ],
  [
    'a time of SQLite in Postgres',
    { odd: { over: 'odd', fields: { small: { as: 'unixMs' } } } },
    'odd.small: "as" must be left out, or "text", for a column of the type int2; received "unixMs"',
  ],
  [
    'the type of JSON for a text',
    { photo: { over: 'photo', fields: { caption: { as: json() } } } },
    'photo.caption: "as" must be left out, or "text", for a column of the type text; received json()',
  ],
  [
    'a constant outside the type of its column',
    { odd: { ...odd, where: { small: 40000 } } },
    'odd: "where.small" must be an integer from -32768 to 32767; received 40000',
  ],
  [
    'a constant that is no label of an enum',
    { account: { ...account, where: { mood: 'bsy' } } },
    'account: "where.mood" must be one of "calm", "busy"; received "bsy"',
  ],
  [
    'a constant that is no uuid',
    { odd: { ...odd, where: { token: 'x' } } },
    'odd: "where.token" must be a uuid in small letters; received "x"',
  ],
  [
    'a constant that is no date',
    { odd: { ...odd, where: { on: '2026-02-30' } } },
    'odd: "where.on" must be a date as YYYY-MM-DD; received "2026-02-30"',
  ],
  [
    'a constant that is no time',
    { odd: { ...odd, where: { at: 5 } } },
    'odd: "where.at" must be a time in ISO 8601; received 5',
  ],
  [
    'a constant that is no truth value',
    { odd: { ...odd, where: { ok: 1 } } },
    'odd: "where.ok" must be true or false; received 1',
  ],
  [
    'an empty array of constants',
    { photo: { ...photo, where: { state: [] } } },
    'photo: "where.state" must be a well-formed string; received an empty array',
  ],
  [
    'a constant for an array',
    { odd: { ...odd, where: { tags: 'a' } } },
    'odd: "where.tags" must be null or notNull, since the type text is not compared; received "a"',
  ],
  [
    'the value of a session for JSON',
    { odd: { ...odd, where: { map: fromSession(() => 1) } } },
    'odd: "where.map" must be null or notNull, since the type jsonb is not compared; received an object with kind, valueOf',
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
        edges: { photos: back('photo', 'owner_id', { where: { state: fromParameter('stat') } }) },
      },
      photo,
    },
    'account.photos: "where" must be fromParameter with a parameter of the edge; received "stat"',
  ],
  [
    'a parameter of a type',
    { photo: { ...photo, where: { state: fromParameter('state') } } },
    'photo: "where.state" must be a value, an array of values, null, notNull or fromSession(); received an object with kind, parameter',
  ],
  [
    'a value of a parameter that the column cannot have',
    {
      account: {
        ...account,
        edges: {
          reports: back('account', 'manager_id', {
            parameters: { mood: parameter.enum(['calm', 'bsy']) },
            where: { mood: fromParameter('mood') },
          }),
        },
      },
    },
    'account.reports: "where.mood" must be one of "calm", "busy"; received "bsy"',
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
  ['an unknown time zone', { comment: { over: 'comment', timeZone: 'Paris', fields: {} } }, TIME_ZONE_ERROR],
  [
    'a stored field without a column',
    { photo: { over: 'photo', fields: { caption: field.string() } } },
    'photo.caption: a field without a column must be a field with "resolve", or field.viewerEdge(); received a stored field',
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
    'an unknown option of a type',
    { photo: { ...photo, feilds: {} } },
    'photo: options must be one of "over", "where", "timeZone", "description", "policy", "appScoped", "idPrefix", "fields", "edges"; received "feilds"; did you mean fields?',
  ],
  [
    'an unknown option of a field',
    { photo: { over: 'photo', fields: { caption: { defalt: true } } } },
    'photo.caption: field.string: options must be one of "description", "default", "scope", "since", "removedIn", "deprecated", "policy", "required", "present", "parameters", "resolve", "reads", "weight"; received "defalt"; did you mean default?',
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
    'a name with capitals',
    { photo: { over: 'photo', fields: { createdAt: { column: 'created_at' } } } },
    'photo: the name of a field or edge must be made of a-z, 0-9 and _, and begin with a letter; received "createdAt"',
  ],
  [
    'an unknown viewer',
    { photo },
    'viewers: each viewer must be a type of the schema; received "acount"',
    { viewers: ['acount'] },
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
]

describe('defineTables', () => {
  it.each(MISTAKES.map(([mistake, types, error, options = {}]) => [mistake, types, error, options] as const))(
    'rejects %s with one error',
    (_mistake, types, error, options) => {
      expect(errorsOf(types, options)).toEqual([error])
    },
  )

  it('reports all errors at once, in the order of the declaration', () => {
    const types = {
      account: {
        over: 'account',
        where: { deletd_at: null },
        fields: { nmae: true, org: ref('organization', 'org_id') },
      },
      photo: { over: 'phto', fields: {} },
      comment: { over: 'comment', timeZone: 'Paris', fields: {}, edges: { photos: back('photo', 'id') } },
    }
    expect(errorsOf(types, { viewers: ['acount'] })).toEqual([
      'account: "where.deletd_at" must be a column of account; received "deletd_at"; did you mean deleted_at?',
      'photo: "over" must be a table of the description; received "phto"; did you mean photo?',
      TIME_ZONE_ERROR,
      'account.nmae: "column" must be a column of account; received "nmae"; did you mean name?',
      'viewers: each viewer must be a type of the schema; received "acount"; did you mean account?',
      'account.org: each target must be a type of the schema; received "organization"',
    ])
  })

  it('needs the form of times in SQLite', () => {
    const event = (fields: object) => errorsOf({ event: { over: 'event', fields } }, {}, sqlite)
    const expected = 'must be one of "unixMs", "unixSeconds", "iso", "text" for a column of the type'
    expect(event({ at: true })).toEqual([`event.at: "as" ${expected} datetime; received undefined`])
    expect(event({ day: true })).toEqual([`event.day: "as" ${expected} date; received undefined`])
    for (const as of ['unixMs', 'unixSeconds', 'iso', 'text'])
      expect(event({ at: { as }, day: { as } })).toEqual([])
  })

  it('accepts a declared key, and constants that make the rows of a join table unique', () => {
    const pair = through('visit', 'account_id', 'photo', 'photo_id', { where: { kind: 'long' } })
    const types = {
      account: { ...account, edges: { pair } },
      photo,
      log: { over: { table: 'log', key: ['at', 'text'] }, fields: {} },
    }
    expect(errorsOf(types)).toEqual([
      'log: each column of the key must be of a type whose values can be ids in postgres; received at of the type timestamptz',
    ])
  })

  it('accepts an order of a column that may be NULL if a filter excludes NULL', () => {
    const photos = back('photo', 'owner_id', { by: 'taken_at', where: { taken_at: notNull } })
    expect(errorsOf({ account: { ...account, edges: { photos } }, photo })).toEqual([])
  })

  it('rejects arguments of other types', () => {
    expect(() => defineTables(5 as never, {})).toThrow(
      'defineTables: "db" must be a description that introspect writes; received 5',
    )
    expect(() => defineTables(postgres, [] as never)).toThrow(
      'defineTables: "types" must be an object with types by name; received an array of length 0',
    )
    expect(() => defineTables(postgres, {}, { name: 'camel' } as never)).toThrow(
      /options must be one of "names"/,
    )
    expect(() => defineTables(postgres, {}, { names: 'snake' } as never)).toThrow(
      'defineTables: "names" must be "camel"; received "snake"',
    )
    expect(() => back('photo', [] as never)).toThrow(
      'back: "columns" must be the name of a column or an array of names; received an array of length 0',
    )
  })
})
