import fc from 'fast-check'
import { arbitraries } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { NodeId } from '../../../src/base/ids.ts'
import type { EdgeTest, Mutation } from '../../../src/store/contract.ts'
import { type BatchEffect, foldBatch, idsOf } from '../../../src/stores/batch/fold-batch.ts'
import { emptyModel, type Model, writeModel } from '../../../src/testing/model.ts'

const { graph, mutation } = arbitraries(fc)

const typesIn =
  ({ nodes }: Model) =>
  (id: NodeId): string | undefined =>
    nodes.get(id)?.type

/** The parts of an effect as mutations, in their order. */
const mutationsOf = (effect: BatchEffect): Mutation[] => [
  ...effect.deleteNodes.map(id => ({ op: 'deleteNode' as const, id })),
  ...effect.putNodes.map(node => ({ op: 'putNode' as const, node })),
  ...effect.patchNodes.map(patch => ({ op: 'patchNode' as const, ...patch })),
  ...effect.deleteEdges.map(edge => ({ op: 'deleteEdge' as const, edge })),
  ...effect.putEdges.map(edge => ({ op: 'putEdge' as const, edge })),
  ...effect.deleteTokens.map(digest => ({ op: 'deleteToken' as const, digest })),
  ...effect.putTokens.map(put => ({ op: 'putToken' as const, ...put })),
]

const keyOf = ({ source, name, target }: EdgeTest): string => JSON.stringify([source, name, target])

/** What a model holds, whatever the order in which it was written. */
const contentOf = ({ nodes, edges, tokens }: Model): unknown => ({
  nodes: Object.fromEntries(nodes),
  edges: Object.fromEntries(edges.map(edge => [keyOf(edge), edge])),
  tokens: [...tokens].sort(([a], [b]) => (a < b ? -1 : 1)),
})

const outcomeOf = <T>(call: () => T): T | string => {
  try {
    return call()
  } catch (error) {
    return String(error).replace('an existing node', 'a node that exists')
  }
}

const batch = fc.array(mutation, { maxLength: 30 })
const before = graph.map(({ nodes, edges }) =>
  writeModel(emptyModel(), [
    ...nodes.map(node => ({ op: 'putNode' as const, node })),
    ...edges.map(edge => ({ op: 'putEdge' as const, edge })),
  ]),
)

describe('foldBatch', () => {
  it('leaves behind what the mutations leave one by one, and refuses what they refuse', () => {
    fc.assert(
      fc.property(before, batch, (model, mutations) => {
        const folded = outcomeOf(() => {
          const effect = mutationsOf(foldBatch(mutations, typesIn(model)))
          return contentOf(writeModel(model, effect))
        })
        expect(folded).toEqual(outcomeOf(() => contentOf(writeModel(model, mutations))))
      }),
      { numRuns: 1000 },
    )
  })

  it('names each node, edge and token once, but for a node that comes back', () => {
    fc.assert(
      fc.property(before, batch, (model, mutations) => {
        const effect = outcomeOf(() => foldBatch(mutations, typesIn(model)))
        if (typeof effect === 'string') return
        const once = (keys: readonly string[]) => expect(new Set(keys).size).toBe(keys.length)
        once([...effect.putNodes.map(({ id }) => id), ...effect.patchNodes.map(({ id }) => id)])
        once([...effect.deleteNodes, ...effect.patchNodes.map(({ id }) => id)])
        once([...effect.deleteEdges, ...effect.putEdges].map(keyOf))
        once([...effect.deleteTokens, ...effect.putTokens.map(({ digest }) => digest)])
      }),
    )
  })

  it('asks for no type but those of idsOf', () => {
    fc.assert(
      fc.property(before, batch, (model, mutations) => {
        const ids = idsOf(mutations)
        outcomeOf(() =>
          foldBatch(mutations, id => {
            expect(ids).toContain(id)
            return typesIn(model)(id)
          }),
        )
      }),
    )
  })

  it('keeps nulls for the nodes that a store patches, and drops them from those that the batch puts', () => {
    const fields = JSON.parse('{"a":null,"__proto__":1}')
    const effect = foldBatch(
      [
        { op: 'patchNode', id: '1', fields: { b: 1, a: 1 } },
        { op: 'patchNode', id: '1', fields },
        { op: 'putNode', node: { id: '2', type: 'thing', fields: { a: 1 } } },
        { op: 'patchNode', id: '2', fields },
      ],
      id => (id === '1' ? 'thing' : undefined),
    )
    expect(JSON.stringify(effect.patchNodes)).toBe('[{"id":"1","fields":{"b":1,"a":null,"__proto__":1}}]')
    expect(JSON.stringify(effect.putNodes)).toBe('[{"id":"2","type":"thing","fields":{"__proto__":1}}]')
  })

  it('says what came in the place of a node id or of a mutation', () => {
    const putNode: Mutation = { op: 'putNode', node: { id: '01', type: 'thing', fields: {} } }
    expect(() => foldBatch([putNode], () => undefined)).toThrow(
      '(#100) Mutation 0: node.id must be a node id, came "01"',
    )
    const unknown: Mutation = JSON.parse('{"op":"put"}')
    expect(() => foldBatch([unknown], () => undefined)).toThrow(
      new TypeError('mutation 0: expected an op such as "putNode", came an object with op'),
    )
  })
})
