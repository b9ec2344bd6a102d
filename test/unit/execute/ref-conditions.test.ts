import {
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  isViewer,
  node,
  type Policy,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { AheadStep, Condition, ReadAhead } from '../../../src/store/contract.ts'
import { createPushingStore } from '../../helpers/pushing-store.ts'
import { createReadAheadStore } from '../../helpers/read-ahead-store.ts'

const OWN_POLICY = [isViewer(), viewerHasEdge('friends')]
const SAME_RULES = [isViewer({ of: 'owner' }), viewerHasEdge('friends', { of: 'owner' })]

const stepsOf = (ahead: ReadAhead | undefined): readonly AheadStep[] =>
  [...(ahead?.values() ?? [])].flat().flatMap(step => [step, ...stepsOf(step.ahead)])

/** Reads the notes of a friend with their owner, and returns the reads and the conditions of the refs. */
const readOwners = async (notePolicy: Policy, userPolicy: Policy = OWN_POLICY) => {
  const user = {
    policy: userPolicy,
    edges: { notes: edge('note'), friends: edge('user'), blocks: edge('user') },
  }
  const fields = { open: field.bool(), owner: field.ref('user'), reader: field.ref('user') }
  const schema = defineSchema(
    { user: node(user), note: node({ policy: notePolicy, fields }) },
    { viewers: ['user'] },
  )
  const store = createReadAheadStore(createPushingStore(createMemoryStore()))
  const graph = createGraph(store, { schema })
  const note = { id: '10', type: 'note', fields: { open: true, owner: '2', reader: '1' } } as const
  await graph.write([
    ...['1', '2'].map(id => ({ op: 'putNode', node: { id, type: 'user', fields: {} } }) as const),
    { op: 'putNode', node: note },
    { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2' } },
    { op: 'putEdge', edge: { source: '1', name: 'blocks', target: '2' } },
    { op: 'putEdge', edge: { source: '2', name: 'notes', target: '10' } },
  ])
  const start = store.requests.length
  const session = graph.session({ viewer: '1', app: 'demo' })
  const found = await graph.getNode(session, { id: '2', type: 'user', fields: 'notes{owner{id}}' })
  const requests = store.requests.slice(start)
  const conditions: (readonly Condition[] | undefined)[] = requests
    .flatMap(({ nodesAhead = [] }) => nodesAhead)
    .flatMap(stepsOf)
    .flatMap(step => (step.kind === 'ref' ? [step.conditions] : []))
  return { owners: found.notes?.data.map(({ owner }) => owner?.id), conditions, reads: requests.length }
}

describe('the conditions of a ref that is read ahead', () => {
  it('are left out if its records have the same tests of the ref, and no read is added', async () => {
    const { owners, conditions, reads } = await readOwners(SAME_RULES)
    expect(owners).toEqual(['2'])
    expect(conditions).toEqual([undefined])
    const sent = await readOwners([fieldEquals('open', false), ...SAME_RULES])
    expect(reads).toBe(sent.reads)
  })

  it.each<[string, Policy, Policy?]>([
    ['in another order', SAME_RULES.toReversed()],
    ['and another one', [...SAME_RULES, fieldEquals('open', true)]],
    ['but one', SAME_RULES.slice(1)],
    ['of another ref', [isViewer({ of: 'reader' }), viewerHasEdge('friends', { of: 'owner' })]],
    ['with another edge', [isViewer({ of: 'owner' }), viewerHasEdge('blocks', { of: 'owner' })]],
    ['about a field', [fieldEquals('open', true)], [viewerHasEdge('friends')]],
  ])('are sent if its records have the same tests %s', async (_, notePolicy, userPolicy) => {
    const { owners, conditions } = await readOwners(notePolicy, userPolicy)
    expect(owners).toEqual(['2'])
    expect(conditions).toEqual([expect.any(Array)])
  })
})
