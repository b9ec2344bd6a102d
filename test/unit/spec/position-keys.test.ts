import {
  createGraph,
  defineSchema,
  edge,
  field,
  type IdKind,
  isGraphError,
  isViewer,
  namedId,
  node,
  type PositionKey,
  type Store,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { encodePosition } from '../../../src/core/cursor-letters.ts'
import { createKeyStore, type KeyOrder, MICROSECONDS, TEXTS } from '../../helpers/key-store.ts'

type Options = {
  readonly positionKey?: PositionKey | undefined
  readonly ids?: IdKind
  readonly store?: Store
  /** The ids of the targets, and the data of their edges. */
  readonly entries: readonly (readonly [target: string, data: { micros?: number; label?: string }])[]
  readonly owner?: string
  readonly viewer?: string
}

const FIELDS = {
  open: field.string(),
  scoped: field.string({ scope: 'user_label' }),
  kept: field.string({ policy: [isViewer()] }),
  short: field.string({ resolve: things => things.map(() => 'less than is stored') }),
}

const edgesOf = (positionKey: PositionKey | undefined) => ({
  likes: edge(['thing', 'other'], { positionKey }),
})

/** Opens a graph over a store with keys. */
const openGraph = async ({
  positionKey,
  ids = 'digits',
  store = createKeyStore(positionKey?.kind === 'text' ? TEXTS : MICROSECONDS),
  entries,
  owner = ids === 'digits' ? '1' : 'thing-1',
  viewer = owner,
}: Options) => {
  const schema = defineSchema(
    {
      thing: node({ fields: FIELDS, edges: edgesOf(positionKey) }),
      other: node({ fields: { open: FIELDS.open, short: FIELDS.short, rare: field.string() } }),
    },
    { ids },
  )
  const types = ids === 'digits' ? 'thing' : undefined
  const putNode = (id: string) =>
    ({ op: 'putNode', node: { id, type: types ?? id.slice(0, id.indexOf('-')), fields: {} } }) as const
  await store.write(
    [
      ...[...new Set([owner, viewer, ...entries.map(([target]) => target)])].map(putNode),
      ...entries.map(
        ([target, data]) =>
          ({ op: 'putEdge', edge: { source: owner, name: 'likes', target, time: 0, data } }) as const,
      ),
    ],
    { signal: undefined },
  )
  const graph = createGraph(store, { schema })
  const session = graph.session({ viewer, app: 'demo' })
  const page = (options: {
    after?: string
    before?: string
    since?: number
    until?: number
    limit?: number
  }) =>
    graph.getEdge(session, { id: owner, type: 'thing', edge: 'likes', fields: 'id', limit: 1, ...options })
  return { graph, session, page }
}

const reasonOf = async (call: Promise<unknown>): Promise<string | undefined> => {
  const error: unknown = await call.then(
    () => undefined,
    thrown => thrown,
  )
  return isGraphError(error) ? error.reason : undefined
}

const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }) => data.map(({ id }) => id)

const isEncrypted = (cursor: string | undefined) => cursor?.[8] === '.'

const ENTRIES: Options['entries'] = [
  ['2', { micros: 1000, label: 'a' }],
  ['3', { micros: 1001, label: 'a b' }],
  ['10', { micros: 1002, label: 'c' }],
]
const NAMED_ENTRIES = ENTRIES.map(([target, data]) => [`thing-${target}`, data] as const)

const walk = async ({ page }: Awaited<ReturnType<typeof openGraph>>): Promise<string[]> => {
  const ids: string[] = []
  for (let after: string | undefined, hasNext = true; hasNext; ) {
    const { data, paging } = await page(after === undefined ? {} : { after })
    ids.push(...data.map(({ id }) => id))
    hasNext = paging?.next !== undefined
    after = paging?.cursors.after
  }
  return ids
}

describe('a list with keys', () => {
  it('is in the order of its keys even if the order of the ids is another', async () => {
    const entries: Options['entries'] = [
      ['30', { micros: 1000 }],
      ['4', { micros: 1001 }],
      ['200', { micros: 1001 }],
      ['5', { micros: 1001 }],
      ['1000', { micros: 999 }],
    ]
    // The times of the first four entries are equal, and the keys of three of them too.
    const graph = await openGraph({ positionKey: { kind: 'time' }, entries })
    expect(await walk(graph)).toEqual(['200', '5', '4', '30', '1000'])
  })

  it('has a period if its keys are times', async () => {
    const entries: Options['entries'] = [
      ['2', { micros: 999_999 }],
      ['3', { micros: 1_000_001 }],
    ]
    const { page } = await openGraph({ positionKey: { kind: 'time' }, entries })
    expect(idsOf(await page({ since: 1 }))).toEqual(['3'])
    expect(idsOf(await page({ until: 0 }))).toEqual(['2'])
  })

  it('rejects a period if its keys are texts', async () => {
    const { page } = await openGraph({ positionKey: { kind: 'text' }, entries: ENTRIES })
    for (const period of [{ since: 1 }, { until: 1 }])
      expect(await reasonOf(page(period))).toBe('invalid_parameter')
  })
})

describe('the cursor of a position with a key', () => {
  it.each<[string, PositionKey, boolean]>([
    ['without a field', { kind: 'text' }, true],
    ['with a field of every target without scope and policy', { kind: 'text', field: 'open' }, false],
    ['with a field that has a scope', { kind: 'text', field: 'scoped' }, true],
    ['with a field that has a policy', { kind: 'text', field: 'kept' }, true],
    ['with a field that is computed', { kind: 'text', field: 'short' }, true],
    ['with a field that one of the targets does not have', { kind: 'time', field: 'rare' }, true],
  ])('is encrypted unless callers see the key: %s', async (_, positionKey, expected) => {
    const graph = await openGraph({ positionKey, entries: ENTRIES })
    const { paging } = await graph.page({})
    expect([paging?.cursors.before, paging?.cursors.after].map(isEncrypted)).toEqual([expected, expected])
    expect(await walk(graph)).toEqual(['10', '3', '2'])
  })

  it('with another character is another position or invalid_parameter, so that a store must check its keys', async () => {
    const { page } = await openGraph({ positionKey: { kind: 'time', field: 'open' }, entries: ENTRIES })
    const cursor = (await page({})).paging?.cursors.after ?? ''
    const reasons = new Set<string | undefined>()
    for (let index = 0; index < cursor.length; index++) {
      const changed = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1)
      reasons.add(await reasonOf(page({ after: changed })))
    }
    expect(reasons).toEqual(new Set([undefined, 'invalid_parameter']))
  })

  it('is rejected before the store reads it if no store can have returned its key', async () => {
    const { page } = await openGraph({ positionKey: { kind: 'text', field: 'open' }, entries: ENTRIES })
    const { after = '' } = (await page({})).paging?.cursors ?? {}
    const prefix = after.slice(0, 8)
    const cursorOf = (key: string) => prefix + encodePosition({ time: 0, target: '10', key })
    expect(cursorOf('c')).toBe(after)
    expect(idsOf(await page({ after: cursorOf('b') }))).toEqual(['3'])
    expect(await reasonOf(page({ after: cursorOf('x'.repeat(500)) }))).toBeUndefined()
    expect(await reasonOf(page({ after: cursorOf('x'.repeat(501)) }))).toBe('invalid_parameter')
    expect(await reasonOf(page({ after: cursorOf('\u00e9'.repeat(251)) }))).toBe('invalid_parameter')
  })

  it('stays valid without a secret after a restart, if it is not encrypted', async () => {
    const open = () => openGraph({ positionKey: { kind: 'text', field: 'open' }, entries: ENTRIES })
    const { after } = (await (await open()).page({})).paging?.cursors ?? {}
    const { page } = await open()
    expect(after && idsOf(await page({ after }))).toEqual(['3'])
  })

  it('is rejected for every other declaration of its list', async () => {
    const plainStore = () => ({ store: createMemoryStore() })
    const declarations: readonly Options[] = [
      { entries: ENTRIES, ...plainStore() },
      { entries: NAMED_ENTRIES, ids: 'named', ...plainStore() },
      ...([undefined, 'open', 'rare'] as const).flatMap(name =>
        (['time', 'text'] as const).flatMap((kind): Options[] => [
          { positionKey: { kind, field: name }, entries: ENTRIES },
          { positionKey: { kind, field: name }, entries: NAMED_ENTRIES, ids: 'named' },
        ]),
      ),
    ]
    const graphs = await Promise.all(declarations.map(openGraph))
    const cursors = await Promise.all(graphs.map(async ({ page }) => (await page({})).paging?.cursors.after))
    for (const [index, { page }] of graphs.entries())
      for (const [other, after = ''] of cursors.entries())
        expect([index, other, await reasonOf(page({ after }))]).toEqual([
          index,
          other,
          index === other ? undefined : 'invalid_parameter',
        ])
  })

  it('has at most 1,200 characters, with the longest ids and the longest keys', async () => {
    const longId = (digit: string) => namedId('thing', digit.repeat(190))
    const source = namedId('thing', 'q'.repeat(190))
    for (const name of [undefined, 'open']) {
      const graph = await openGraph({
        positionKey: { kind: 'text', field: name },
        ids: 'named',
        owner: source,
        entries: [...'ab'].map(digit => [longId(digit), { label: `${digit}xyz${'\u{1F600}'.repeat(124)}` }]),
      })
      const { paging } = await graph.page({})
      expect(paging?.cursors.after?.length).toBeLessThanOrEqual(1200)
      expect(await walk(graph)).toEqual([longId('b'), longId('a')])
    }
  })
})

describe('a store that returns invalid keys', () => {
  const mapKeys = (order: KeyOrder, mapKey: (key: unknown) => unknown): Store =>
    createKeyStore(order, {
      mapResult: result => ({
        ...result,
        entries: result.entries.map(entry => Object.assign({ ...entry }, { key: mapKey(entry.key) })),
      }),
    })

  it.each<[string, unknown]>([
    ['no key', undefined],
    ['a number', 5],
    ['text that is not well-formed', '\ud83d'],
    ['501 bytes', `${'\u00e9'.repeat(250)}x`],
  ])('fails the call with store_error: %s', async (_, key) => {
    for (const name of [undefined, 'open']) {
      const store = mapKeys(TEXTS, () => key)
      const { page } = await openGraph({
        positionKey: { kind: 'text', field: name },
        store,
        entries: ENTRIES,
      })
      expect(await reasonOf(page({}))).toBe('store_error')
    }
  })

  it('fails the call with store_error for a key in a list whose edge declares none', async () => {
    const { page } = await openGraph({ store: createKeyStore(TEXTS), entries: ENTRIES })
    expect(await reasonOf(page({}))).toBe('store_error')
  })

  it('fails the call with store_error for a malformed key of lastExamined', async () => {
    const store = createKeyStore(TEXTS, {
      maxEntries: 1,
      mapResult: ({ lastExamined, ...result }) => ({
        ...result,
        lastExamined: lastExamined && Object.assign({ ...lastExamined }, { key: 5 }),
      }),
    })
    const { page } = await openGraph({ positionKey: { kind: 'text' }, store, entries: ENTRIES })
    expect(await reasonOf(page({ limit: 3 }))).toBe('store_error')
  })

  it('fails the call with store_error if a position repeats with its key, but not with another key', async () => {
    const entries: Options['entries'] = [
      ['2', { micros: 1000 }],
      ['3', { micros: 1001 }],
    ]
    const repeating = createKeyStore(MICROSECONDS, { maxEntries: 1, compareFrom: () => -1 })
    const graph = await openGraph({ positionKey: { kind: 'time' }, store: repeating, entries })
    expect(await reasonOf(graph.page({ limit: 2 }))).toBe('store_error')
    const correct = await openGraph({
      positionKey: { kind: 'time' },
      store: createKeyStore(MICROSECONDS, { maxEntries: 1 }),
      entries,
    })
    expect(idsOf(await correct.page({ limit: 2 }))).toEqual(['3', '2'])
  })
})

describe('the option positionKey of an edge', () => {
  it.each<[unknown, string]>([
    ['time', '"positionKey"'],
    [{}, '"positionKey.kind" must be one of "time", "text"'],
    [{ kind: 'number' }, '"positionKey.kind" must be one of "time", "text"'],
    [{ kind: 'time', fields: 'name' }, 'positionKey'],
    [{ kind: 'time', field: 5 }, 'positionKey.field'],
  ])('cannot be %j', (positionKey, message) => {
    expect(() => Reflect.apply(edge, undefined, ['thing', { positionKey }])).toThrow(message)
  })

  it('names a field that at least one target has', () => {
    const define = (name: string) =>
      defineSchema({
        thing: node({
          fields: FIELDS,
          edges: { likes: edge('thing', { positionKey: { kind: 'text', field: name } }) },
        }),
      })
    expect(() => define('none')).toThrow('thing.likes: "positionKey.field" must be a field of a target')
    expect(() => define('scoped')).not.toThrow()
  })

  it('is rejected for a computed edge', () => {
    const likes = edge('thing', { positionKey: { kind: 'text' }, resolve: () => [] })
    expect(() => defineSchema({ thing: node({ edges: { likes } }) })).toThrow(
      '"positionKey" must be left out',
    )
  })

  it('applies to the fields that an extension of the schema declares', async () => {
    const schema = defineSchema({
      thing: node({
        fields: FIELDS,
        edges: { likes: edge('thing', { positionKey: { kind: 'text', field: 'open' } }) },
      }),
    })
    const extended = schema.extend({ thing: { fields: { open: field.string({ scope: 'user_open' }) } } })
    const secrets = [schema, extended].map(({ types }) =>
      [...types.thing.edges.likes.orders.values()].map(({ isSecret }) => isSecret),
    )
    expect(secrets).toEqual([
      [false, false],
      [true, true],
    ])
  })
})
