import { collection, createGraph, defineSchema, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { completeLists } from '../../../src/check/collect.ts'
import { findListFlags } from '../../../src/schema/list-flags.ts'
import { withCompleteLists } from '../../../src/store/complete-lists.ts'
import type { ReadAhead } from '../../../src/store/contract.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../../src/store/requests.ts'
import { countReads } from '../../../src/testing/count-reads.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'

const schema = defineSchema(
  { person: node({ fields: { name: field.string() } }) },
  { collections: { people: collection('person') } },
)
const putPerson = (id: string) => ({ op: 'putNode', node: { id, type: 'person', fields: {} } }) as const
const PEOPLE = { id: 'root', edge: 'people' } as const

describe('the completion of a collection', () => {
  it('is read with the first pages, and not again once a page had entries', async () => {
    const store = countReads(createMemoryStore())
    const graph = createGraph(store, { schema })
    const session = graph.session({ app: 'demo' })
    await graph.write([putPerson('1')])
    store.clear()
    await graph.getEdge(session, PEOPLE)
    await graph.getEdge(session, PEOPLE)
    expect(store.reads.map(({ request }) => request.flags !== undefined)).toEqual([true, false])
  })

  it('is not assumed because the store was empty before', async () => {
    const store = createMemoryStore()
    const graph = createGraph(store, { schema })
    const session = graph.session({ app: 'demo' })
    expect((await graph.getEdge(session, PEOPLE)).data).toEqual([])
    // A process that does not know the collection writes first.
    store.write([putPerson('1')])
    expect((await expectGraphError(graph.getEdge(session, PEOPLE))).reason).toBe('store_error')
  })

  it('is required of a single entry too', async () => {
    const store = createMemoryStore()
    const graph = createGraph(store, { schema })
    const session = graph.session({ app: 'demo' })
    store.write([putPerson('1')])
    const call = graph.hasEdge(session, { ...PEOPLE, target: '1' })
    expect((await expectGraphError(call)).reason).toBe('store_error')
  })

  it('ends when the list is built for another field', async () => {
    const store = createMemoryStore()
    const time = field.datetime({ required: true })
    const createSchemaBy = (by: 'first' | 'second') =>
      defineSchema(
        { event: node({ fields: { first: time, second: time } }) },
        { collections: { events: collection('event', { by }) } },
      )
    const createBy = (by: 'first' | 'second') => createGraph(store, { schema: createSchemaBy(by) })
    const event = { id: '1', type: 'event', fields: { first: 1, second: 2 } } as const
    await createBy('first').write([{ op: 'putNode', node: event }])
    await completeLists(store, createSchemaBy('second'))
    const graph = createBy('first')
    const call = graph.getEdge(graph.session({ app: 'demo' }), { id: 'root', edge: 'events' })
    expect((await expectGraphError(call)).reason).toBe('store_error')
  })

  it('is read in the snapshot of the call', async () => {
    const graph = createGraph(createMemoryStore(), { schema, consistency: 'snapshot' })
    await graph.write([putPerson('1')])
    const page = await graph.getEdge(graph.session({ app: 'demo' }), PEOPLE)
    expect(page.data).toEqual([{ id: '1' }])
  })

  it('is set again by the next write if the first one fails', async () => {
    const memory = createMemoryStore()
    let failures = 1
    const store = delegateStore(memory, {
      write: (mutations, options) => {
        if (failures-- > 0) throw new Error('the disk is full')
        return memory.write(mutations, options)
      },
    })
    const graph = createGraph(store, { schema })
    await expectGraphError(graph.write([putPerson('1')]))
    await graph.write([putPerson('1')])
    const page = await graph.getEdge(graph.session({ app: 'demo' }), PEOPLE)
    expect(page.data).toEqual([{ id: '1' }])
  })
})

describe('the node of collections', () => {
  it('needs no read of the store', async () => {
    const store = countReads(createMemoryStore())
    const graph = createGraph(store, { schema })
    expect(await graph.getNode(graph.session({ app: 'demo' }), { id: 'root' })).toEqual({ id: 'root' })
    expect(store.reads).toEqual([])
  })
  it('leaves the hints of a read with their nodes', async () => {
    const store = countReads(createMemoryStore())
    const hint: ReadAhead = new Map()
    const request = { ...EMPTY_REQUEST, nodes: ['root', '1'], nodesAhead: [undefined, hint] }
    await withCompleteLists(store, findListFlags(schema), true).read(request, UNTIMED_OPTIONS)
    expect(store.reads.map(read => read.request)).toMatchObject([{ nodes: ['1'], nodesAhead: [hint] }])
  })
})
