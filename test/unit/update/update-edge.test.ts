import { updateEdge } from 'kithgraph/update'
import { describe, expect, it } from 'vitest'
import type { EdgeRecord } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { createUpdatedGraph } from './updated-graph.ts'

const KNOWS = { source: '1', name: 'knows', target: '2' } as const
const FOLLOWS = { source: '1', name: 'follows', target: '2' } as const
const MEMBER = { source: '9', name: 'members', target: '1' } as const

const createPeople = (...edges: readonly EdgeRecord[]) => {
  const world = createUpdatedGraph()
  for (const id of ['1', '2', '3']) world.putPerson(id, { name: `person ${id}` })
  world.put({ op: 'putNode', node: { id: '9', type: 'team', fields: {} } })
  world.put(...edges.map((edge): StoreMutation => ({ op: 'putEdge', edge })))
  return world
}

const mirrorOf = ({ source, target, ...others }: EdgeRecord, name: string): EdgeRecord => ({
  ...others,
  source: target,
  name,
  target: source,
})

describe('updateEdge', () => {
  it('changes the data of an edge and of its mirror, and keeps their time', async () => {
    const edge: EdgeRecord = { ...KNOWS, time: 7, data: { kind: 'friend', notes: ['a'], met: 5 } }
    const { graph, edges, written } = createPeople(edge, mirrorOf(edge, 'knows'))
    await updateEdge(graph, KNOWS, draft => {
      draft.notes?.push('b')
      delete draft.met
    })
    const changed = { ...KNOWS, time: 7, data: { kind: 'friend', notes: ['a', 'b'] } }
    expect(edges()).toEqual([changed, mirrorOf(changed, 'knows')])
    const mirror = { source: '2', name: 'knows', target: '1' }
    const when = { fields: { kind: 'friend', notes: ['a'], met: 5 } }
    expect(written).toEqual([{ op: 'putEdge', edge: changed, mirror, when }])
  })

  it('changes an edge through either side of an inverse edge', async () => {
    const edge: EdgeRecord = { ...MEMBER, time: 7 }
    const { graph, edges } = createPeople(edge, mirrorOf(edge, 'teams'))
    await updateEdge(graph, MEMBER, draft => {
      draft.role = 'owner'
    })
    const changed = { ...edge, data: { role: 'owner' } }
    expect(edges()).toEqual([mirrorOf(changed, 'teams'), changed])
    await callUntyped(updateEdge, graph, { source: '1', name: 'teams', target: '9' }, (draft: object) =>
      Reflect.deleteProperty(draft, 'role'),
    )
    expect(edges()).toEqual([mirrorOf(edge, 'teams'), edge])
  })

  it('leaves data that the schema does not declare untouched', async () => {
    const { graph, edges } = createPeople({ ...FOLLOWS, time: 7, data: { old: 1, kind: 5 } })
    await updateEdge(graph, FOLLOWS, draft => {
      expect({ ...draft }).toEqual({})
      draft.kind = 'close'
    })
    expect(edges()).toEqual([{ ...FOLLOWS, time: 7, data: { old: 1, kind: 'close' } }])
  })

  it('applies two recipes that run at the same time one after the other', async () => {
    const edge = { ...KNOWS, time: 7, data: { kind: 'friend', notes: [] } }
    const { graph, edges } = createPeople(edge, mirrorOf(edge, 'knows'))
    const addNote = (note: string) => updateEdge(graph, KNOWS, draft => void draft.notes?.push(note))
    await Promise.all([addNote('a'), addNote('b')])
    expect(edges().map(({ data }) => [...Object(data).notes].sort())).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  it('throws conflict after five attempts', async () => {
    const { graph, interference, put } = createPeople({ ...FOLLOWS, time: 7 })
    let runs = 0
    interference.afterRead = () =>
      put({ op: 'putEdge', edge: { ...FOLLOWS, time: 7, data: { kind: `other ${runs}` } } })
    const error = await expectGraphError(
      updateEdge(graph, FOLLOWS, draft => {
        runs += 1
        draft.kind = 'close'
      }),
    )
    expect([error.reason, error.data.path, runs]).toEqual(['conflict', 'when.fields.kind', 5])
  })

  it('writes nothing if the recipe changes nothing', async () => {
    const { graph, written } = createPeople({ ...FOLLOWS, time: 7, data: { kind: 'close' } })
    await updateEdge(graph, FOLLOWS, draft => {
      draft.kind = 'close'
    })
    expect(written).toEqual([])
  })

  it.each([
    { kind: 'foe', old: 1 },
    { kind: 'friend', notes: ['x'], old: 1 },
    { kind: 'friend', old: 2 },
    { kind: 'friend' },
  ])(
    'never overwrites a change of another writer to other data, even if it is undeclared: %j',
    async data => {
      const edge: EdgeRecord = { ...KNOWS, time: 7, data: { kind: 'friend', old: 1 } }
      const { graph, edges, interference, put } = createPeople(edge, mirrorOf(edge, 'knows'))
      const other: EdgeRecord = { ...KNOWS, time: 7, data }
      let reads = 0
      interference.afterRead = () => {
        reads += 1
        if (reads === 1)
          put({ op: 'putEdge', edge: other }, { op: 'putEdge', edge: mirrorOf(other, 'knows') })
      }
      await updateEdge(graph, KNOWS, draft => {
        draft.met = 5
      })
      const merged: EdgeRecord = { ...KNOWS, time: 7, data: { ...data, met: 5 } }
      expect(edges()).toEqual([merged, mirrorOf(merged, 'knows')])
    },
  )
})

describe('updateEdge of an edge in a long list', () => {
  it('takes one read, however long the list is', async () => {
    const others = Array.from({ length: 1500 }, (_, index) => `${100 + index}`)
    const { graph, edges, interference, put } = createPeople({ ...FOLLOWS, time: 0 })
    put(
      ...others.map((id): StoreMutation => ({ op: 'putNode', node: { id, type: 'person', fields: {} } })),
      ...others.map((target): StoreMutation => ({ op: 'putEdge', edge: { ...FOLLOWS, target, time: 5 } })),
    )
    let reads = 0
    interference.afterRead = () => {
      reads += 1
    }
    await updateEdge(graph, FOLLOWS, draft => {
      draft.kind = 'close'
    })
    expect(edges()).toContainEqual({ ...FOLLOWS, time: 0, data: { kind: 'close' } })
    expect(reads).toBe(1)
  })
})

describe('updateEdge rejects', () => {
  const clear = (draft: object) => void Reflect.deleteProperty(draft, 'kind')

  it.each([
    ['a missing edge', { target: '3' }, 'edge.target', 'the target of an existing edge'],
    ['a missing source', { source: '7' }, 'edge.source', 'the id of an existing node'],
    ['a missing target', { target: '7' }, 'edge.target', 'the id of an existing node'],
    ['an invalid source', { source: 'x' }, 'edge.source', 'the id of an existing node'],
    ['an invalid target', { target: '' }, 'edge.target', 'the id of an existing node'],
    [
      'an edge of another type',
      { name: 'members' },
      'edge.name',
      'an edge of the type person: knows, teams, follows',
    ],
    [
      'a target of a wrong type',
      { target: '9' },
      'edge.target',
      'the id of a node of type person (not team)',
    ],
  ])('%s with invalid_mutation', async (_, change, path, expected) => {
    const { graph, written } = createPeople({ ...KNOWS, time: 7, data: { kind: 'friend' } })
    const error = await expectGraphError(callUntyped(updateEdge, graph, { ...KNOWS, ...change }, clear))
    expect([error.reason, error.data]).toMatchObject(['invalid_mutation', { index: 0, path, expected }])
    expect(written).toEqual([])
  })

  it('the removal of required data with invalid_mutation', async () => {
    const { graph, written } = createPeople({ ...KNOWS, time: 7, data: { kind: 'friend' } })
    const error = await expectGraphError(updateEdge(graph, KNOWS, clear))
    expect([error.reason, error.data.path]).toEqual(['invalid_mutation', 'edge.data.kind'])
    expect(written).toEqual([])
  })

  it('a recipe that returns a promise, and an unknown option, with a TypeError', async () => {
    const { graph } = createPeople({ ...FOLLOWS, time: 7 })
    await expect(callUntyped(updateEdge, graph, FOLLOWS, async () => {})).rejects.toThrow(
      'updateEdge: "recipe" must be a synchronous function; received a function that returns a promise',
    )
    await expect(callUntyped(updateEdge, graph, { ...FOLLOWS, time: 7 }, clear)).rejects.toThrow(TypeError)
    await expect(callUntyped(updateEdge, graph, { ...FOLLOWS, fields: ['kind'] }, clear)).rejects.toThrow(
      'updateEdge: options must be one of "source", "name", "target", "parameters", "signal", "session"; received "fields"',
    )
  })

  it('the name of no edge of the schema with a TypeError', async () => {
    const { graph } = createPeople()
    await expect(callUntyped(updateEdge, graph, { ...FOLLOWS, name: 'folows' }, clear)).rejects.toThrow(
      new TypeError(
        'updateEdge: "name" must be one of "knows", "teams", "follows", "members"; received "folows"',
      ),
    )
  })
})
