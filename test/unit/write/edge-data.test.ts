import { describe, expect, it } from 'vitest'
import { defineSchema } from '../../../src/schema/define-schema.ts'
import { edge } from '../../../src/schema/edge.ts'
import { field } from '../../../src/schema/field-builders.ts'
import { node } from '../../../src/schema/node.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { createWrittenGraph, findEdges, putNode } from './written-graph.ts'

describe('the data of an edge', () => {
  const schema = defineSchema({
    person: node({
      edges: {
        clubs: edge('club', { inverse: 'members' }),
        spouse: edge('person', { symmetric: true, fields: { since: field.datetime() } }),
      },
    }),
    club: node({
      edges: {
        members: edge('person', {
          inverse: 'clubs',
          fields: { role: field.string({ required: true }), joined: field.edgeTime() },
        }),
      },
    }),
  })
  const nodes = [putNode('1', 'person'), putNode('2', 'person'), putNode('9', 'club')]
  const createClub = async () => {
    const graph = createWrittenGraph(schema)
    await graph.write(nodes)
    return graph
  }
  const member = { source: '9', name: 'members', target: '1', time: 7, data: { role: 'chair' } }
  const club = { source: '1', name: 'clubs', target: '9', time: 7, data: { role: 'chair' } }

  it('is stored in the form of its field types, the same on both sides', async () => {
    const { write, records } = await createClub()
    await write([
      {
        op: 'putEdge',
        edge: { source: '1', name: 'spouse', target: '2', time: 7, data: { since: new Date(9) } },
      },
    ])
    expect(findEdges(records())).toEqual([
      { source: '1', name: 'spouse', target: '2', time: 7, data: { since: 9 } },
      { source: '2', name: 'spouse', target: '1', time: 7, data: { since: 9 } },
    ])
  })

  it('is kept completely by a write from the side that declares fewer fields', async () => {
    const fromClub = await createClub()
    await fromClub.write([{ op: 'putEdge', edge: member }])
    const fromPerson = await createClub()
    await fromPerson.write([{ op: 'putEdge', edge: club }])
    expect(findEdges(fromClub.records())).toEqual([club, member])
    expect(fromPerson.records()).toEqual(fromClub.records())
  })

  it('is omitted if it is empty', async () => {
    const { write, records } = await createClub()
    await write([{ op: 'putEdge', edge: { source: '1', name: 'spouse', target: '1', time: 7, data: {} } }])
    expect(findEdges(records())).toEqual([{ source: '1', name: 'spouse', target: '1', time: 7 }])
  })

  it.each([
    { side: member, data: undefined },
    { side: club, data: undefined },
    { side: club, data: { role: undefined } },
  ])('is rejected without a required value, from $side.name with $data', async ({ side, data }) => {
    const { write } = await createClub()
    const error = await expectGraphError(write([{ op: 'putEdge', edge: { ...side, data } }]))
    expect(error.data).toMatchObject({ path: 'edge.data.role', expected: 'a value, since it is required' })
  })

  it('is rejected if it is null', async () => {
    const { write } = await createClub()
    // @ts-expect-error the types of mutations reject it
    const error = await expectGraphError(write([{ op: 'putEdge', edge: { ...member, data: null } }]))
    expect(error.data).toMatchObject({
      path: 'edge.data',
      expected: 'an object that maps names of fields to values',
      received: 'null',
    })
  })
})
