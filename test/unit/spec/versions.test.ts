import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const schema = defineSchema(
  {
    person: node({
      fields: {
        name: field.string({ default: true }),
        motto: field.string({ default: true, since: 'v2.3' }),
        fax: field.string({ removedIn: 'v2.12' }),
        nick: field.string({ default: true, since: 'v2.3', removedIn: 'v2.12' }),
        idol: field.ref('person', { since: 'v2.12' }),
        phone: field.string({ deprecated: 'ask for motto instead' }),
      },
      edges: {
        friends: edge('person', {
          fields: { close: field.bool({ since: 'v2.12' }) },
          defaults: ['name', 'close'],
        }),
      },
    }),
  },
  { versions: ['v2.12', 'v1.0', 'v2.3'] },
)

const fields = { name: 'Ada', motto: 'Onwards', fax: '12', nick: 'A', idol: '2', phone: '34' }
const store = createMemoryStore()
store.write([
  { op: 'putNode', node: { id: '1', type: 'person', fields } },
  { op: 'putNode', node: { id: '2', type: 'person', fields: { name: 'Mary' } } },
  { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: 0, data: { close: true } } },
])
const graph = createGraph(store, { schema })
const viewer = graph.session({ viewer: '1', app: 'demo', scopes: [] })

const ask = (call: object): Promise<unknown> => loosely(graph.getMe, viewer, call)

describe('versions', () => {
  it('compare as numbers: v2.12 comes after v2.3', async () => {
    expect(schema.versions).toEqual(['v1.0', 'v2.3', 'v2.12'])
    expect(await ask({ version: 'v2.12', fields: 'idol' })).toEqual({
      idol: { name: 'Mary', id: '2' },
      id: '1',
    })
    expect((await faultOf(ask({ version: 'v2.3', fields: 'idol' }))).data.reason).toBe('not_in_version')
  })

  it('have defaults of their own', async () => {
    expect(await ask({ version: 'v1.0' })).toEqual({ name: 'Ada', id: '1' })
    expect(await ask({ version: 'v2.3' })).toEqual({ name: 'Ada', motto: 'Onwards', nick: 'A', id: '1' })
    expect(await ask({ version: 'v2.12' })).toEqual({ name: 'Ada', motto: 'Onwards', id: '1' })
  })

  it('have defaults of their own on edges', async () => {
    const entries = async (version: string) =>
      Object(await loosely(graph.getEdge, viewer, { id: '1', edge: 'friends', version })).data
    expect(await entries('v2.3')).toEqual([{ name: 'Mary', id: '2' }])
    expect(await entries('v2.12')).toEqual([{ name: 'Mary', close: true, id: '2' }])
  })

  it('are the newest where none is asked', async () => {
    expect(await ask({})).toEqual(await ask({ version: 'v2.12' }))
  })

  it('are that of the graph where none is asked', async () => {
    const { getMe, session } = createGraph(store, { schema, version: 'v1.0' })
    expect(await getMe(session({ viewer: '1', app: 'demo', scopes: [] }))).toEqual({ name: 'Ada', id: '1' })
  })

  it.each([
    ['v2.4', 'v2.3'],
    ['v2.11', 'v2.3'],
    ['v3.0', 'v2.12'],
    ['v99.0', 'v2.12'],
    ['v0.1', 'v1.0'],
    ['v1.9', 'v1.0'],
  ])('asked as %s are served by %s', async (version, served) => {
    expect(await ask({ version })).toEqual(await ask({ version: served }))
    expect(graph.explain({ type: 'person', version }).version).toBe(served)
  })

  it.each(['2.3', 'v2', 'v2.3.1', 'V2.3', 'latest', '', 'v02.3', 'v2.-3', ' v2.3'])(
    'are no such text as %o',
    async version => {
      const fault = await faultOf(ask({ version }))
      expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'version' })
    },
  )
})

describe('a field that is not in the version', () => {
  it.each([
    ['motto', 'v1.0', '(#12) Field motto requires version v2.3 or higher'],
    ['nick', 'v1.0', '(#12) Field nick requires version v2.3 or higher'],
    ['fax', 'v2.12', '(#12) Field fax is not there in version v2.12 and higher'],
    ['nick', 'v2.12', '(#12) Field nick is not there in version v2.12 and higher'],
    ['friends{close}', 'v2.3', '(#12) Field close requires version v2.12 or higher'],
  ])('is fault 12: %s in %s', async (asked, version, message) => {
    const fault = await faultOf(ask({ version, fields: asked }))
    expect(fault).toMatchObject({ code: 12, status: 400, type: 'OAuthException', message })
    expect(fault.data).toMatchObject({ reason: 'not_in_version', version })
  })

  it('is there from the first version with it, and until the one without', async () => {
    expect(await ask({ version: 'v2.3', fields: 'motto,fax,nick' })).toEqual({
      motto: 'Onwards',
      fax: '12',
      nick: 'A',
      id: '1',
    })
  })

  it('is not described by metadata either', async () => {
    const names = async (version: string): Promise<string[]> =>
      Object(await ask({ version, metadata: true })).metadata.fields.map(({ name }: { name: string }) => name)
    expect(await names('v1.0')).toEqual(['id', 'name', 'fax', 'phone'])
    expect(await names('v2.12')).toEqual(['id', 'name', 'motto', 'idol', 'phone'])
  })
})
