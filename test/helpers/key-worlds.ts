import { namedId } from 'kithgraph'
import { back, collection, type DatabaseDescription, defineTables, ref, through } from 'kithgraph/tables'
import type { Condition } from '../../src/store/contract.ts'
import type { ListReference } from './list-reference.ts'

/** The texts of the columns of a key. */
type Key = readonly string[]

/** A kind of key: the types of its columns, the keys of accounts, and those that columns refer to accounts by. */
export type KeyKind = {
  readonly name: string
  readonly types: readonly string[]
  readonly keys: readonly Key[]
  /** Some have other texts than the keys that they are equal to, and some lead to no row. */
  readonly references: readonly Key[]
  readonly isWide?: boolean
}

const single = (texts: readonly string[]): readonly Key[] => texts.map(text => [text])

const TEXTS = single(['a', 'B', 'é', "it's", '10', '9'])
const OTHER_TEXTS = single(['a', 'A', 'b', 'B', 'É', "it's", '9', '10', 'nowhere'])
const NUMBERS = single(['1', '2', '9', '10', '-5'])
const DATES = single(['2024-01-01', '2024-01-02', '0044-03-15 BC', 'infinity'])

/** Pairs of a number and a text. */
const pairs = (texts: readonly Key[]): readonly Key[] =>
  texts.slice(0, 3).flatMap(text => [
    ['1', ...text],
    ['2', ...text],
  ])

/** The collation `public.blind` must exist, and the extension `citext`. */
export const KEY_KINDS: readonly KeyKind[] = [
  { name: 'numbers of wide rows', types: ['int8'], keys: NUMBERS, references: NUMBERS, isWide: true },
  { name: 'numerics', types: ['numeric(20, 0)'], keys: NUMBERS, references: [...NUMBERS, ['7']] },
  { name: 'texts', types: ['text collate "C"'], keys: TEXTS, references: OTHER_TEXTS },
  {
    name: 'texts that ignore case',
    types: ['text collate public.blind'],
    keys: TEXTS,
    references: OTHER_TEXTS,
  },
  { name: 'texts of citext', types: ['citext'], keys: TEXTS, references: OTHER_TEXTS },
  { name: 'padded texts', types: ['char(12)'], keys: TEXTS, references: OTHER_TEXTS },
  { name: 'dates', types: ['date'], keys: DATES, references: [...DATES, ['1999-01-01']] },
  {
    name: 'two columns',
    types: ['int4', 'citext'],
    keys: pairs(TEXTS),
    references: [...pairs(OTHER_TEXTS), ['3', 'a']],
    isWide: true,
  },
]

/** More than a JSON array of one function contains. */
const WIDTH = 95
const WIDE = Array.from({ length: WIDTH }, (_, index) => `wide${index}`)
const wideColumnsOf = ({ isWide }: KeyKind): readonly string[] => (isWide === true ? WIDE : [])

const columnsOf = ({ types }: KeyKind, prefix: string): string[] =>
  types.map((_, index) => `${prefix}${index}`)

/** Returns the statements that create the tables of a world in the search path. */
export const createKeyTables = (kind: KeyKind): string => {
  const typed = (prefix: string, rest = ''): string =>
    kind.types.map((type, index) => `${prefix}${index} ${type}${rest}`).join(', ')
  const wide = wideColumnsOf(kind)
    .map(name => `, ${name} int default 7`)
    .join('')
  const [key, pair] = [columnsOf(kind, 'key'), [...columnsOf(kind, 'source'), ...columnsOf(kind, 'target')]]
  return `
create table account (${typed('key', ' not null')}, name text not null, ${typed('boss')}, deleted_at date ${wide},
  primary key (${key.join()}));
create table photo (id int primary key, ${typed('owner')}, ${typed('editor')}, parent int, taken date, deleted_at date ${wide});
create table follow (${typed('source', ' not null')}, ${typed('target', ' not null')}, muted boolean not null, note citext,
  created_at timestamptz not null, primary key (${pair.join()}));`
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
const PHOTO_COUNT = 60
const DELETED_EVERY = 7

/** Returns the statements that fill these tables. */
export const fillKeyTables = ({ types, keys, references }: KeyKind): string => {
  const nulls = types.map(() => 'null').join()
  const at = (list: readonly Key[], index: number): string =>
    (list[index % list.length] ?? []).map(quote).join()
  const orNull = (index: number, every: number): string =>
    index % every === 0 ? nulls : at(references, index)
  const deleted = (index: number): string => (index % DELETED_EVERY === 3 ? `'2024-01-01'` : 'null')
  const accounts = keys.map(
    (key, index) =>
      `insert into account values (${key.map(quote).join()}, 'name ${index % 2}', ${orNull(index, 3)}, ${deleted(index)})`,
  )
  const photos = Array.from({ length: PHOTO_COUNT }, (_, index) => {
    const taken = index % 4 === 0 ? 'null' : `'2024-01-0${1 + (index % 3)}'`
    const parent = index % 2 === 0 ? 'null' : index % 9
    return `insert into photo values (${index}, ${orNull(index * 5, 4)}, ${orNull(index * 3, 5)}, ${parent}, ${taken}, ${deleted(index)})`
  })
  const follows = references.flatMap((source, index) =>
    references.map((target, other) => {
      const note = (index + other) % 3 === 0 ? 'null' : quote((index + other) % 2 === 0 ? 'x' : 'X')
      const created = `timestamptz '2024-01-01' + interval '${(index * other) % 4} microseconds'`
      const ends = [...source, ...target].map(quote).join()
      return `insert into follow values (${ends}, ${index % 2 === 0}, ${note}, ${created}) on conflict do nothing`
    }),
  )
  return [...accounts, ...photos, ...follows].join(';\n')
}

/** Declares a graph over these tables: with refs to the same type, joins, rows without a value, and soft deletes. */
export const defineKeyWorld = (db: DatabaseDescription, kind: KeyKind) => {
  const of = (prefix: string) => columnsOf(kind, prefix)
  const wide = Object.fromEntries(wideColumnsOf(kind).map(name => [name, true as const]))
  const where = { deleted_at: null }
  const taken = { by: 'taken', nulls: 'end' } as const
  return defineTables(
    db,
    {
      account: {
        over: 'account',
        where,
        fields: { name: true, boss: ref('account', of('boss')), ...wide },
        edges: {
          photos: back('photo', of('owner'), taken),
          edited: back('photo', of('editor'), { count: 3 }),
          reports: back('account', of('boss'), { by: 'name', count: 'exact' }),
          following: through('follow', of('source'), 'account', of('target'), {
            by: 'created_at',
            fields: { muted: true, note: true },
          }),
          noted: through('follow', of('target'), 'account', of('source'), { by: 'note', nulls: 'end' }),
        },
      },
      photo: {
        over: 'photo',
        where,
        fields: {
          taken: true,
          owner: ref('account', of('owner')),
          editor: ref('account', of('editor')),
          parent: ref('photo', 'parent'),
          ...wide,
        },
        edges: { children: back('photo', 'parent', taken) },
      },
    },
    { collections: { photos: collection('photo', taken), accounts: collection('account') } },
  )
}

/** Returns the ids that rows of a world may have. */
export const idsOfKeyWorld = ({ keys }: KeyKind): readonly string[] => [
  ...keys.map(key => namedId('account', ...key)),
  ...Array.from({ length: PHOTO_COUNT }, (_, index) => `photo-${index}`),
]

/** Returns conditions about the nodes of a world, by type. The last ones need the node of a ref. */
export const conditionsOfKeyWorld = ({
  lists,
}: ListReference): { readonly [type: string]: readonly Condition[] } => {
  const following = [...lists.values()].filter(({ name }) => name === 'following')
  const [first, second] = following
    .toSorted((one, other) => other.entries.length - one.entries.length)
    .map(({ source }) => source)
  const edge = { kind: 'edge', name: 'following', from: first } as const
  return {
    account: [
      { kind: 'field', field: 'name', anyOf: ['name 1'] },
      { kind: 'node', of: 'boss', id: second ?? '' },
      { kind: 'edge', name: 'photos', to: 'photo-1' },
      { ...edge, where: { note: ['x'] } },
      { ...edge, from: second },
      { ...edge, of: 'boss' },
    ],
    photo: [
      { kind: 'field', field: 'taken', anyOf: ['2024-01-02'] },
      { kind: 'node', of: 'editor', id: first ?? '' },
      { kind: 'edge', name: 'children', of: 'parent', to: 'photo-3' },
      { ...edge, of: 'editor', where: { muted: true } },
      { ...edge, of: 'editor', from: second },
      { ...edge, of: 'owner' },
    ],
  }
}
