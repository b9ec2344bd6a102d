import fc from 'fast-check'
import { arbitraries } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { NodeId } from '../../../src/base/ids.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import type { EdgeKey } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import {
  type BatchEffect,
  collectNodeIds,
  foldBatch,
  mergeFields,
  mergePatches,
} from '../../../src/stores/batch.ts'
import { createEmptyModel, type Model, writeModel } from '../../../src/testing/model.ts'

const { graph, mutation } = arbitraries(fc)

const typesIn =
  ({ nodes }: Model) =>
  (id: NodeId): string | undefined =>
    nodes.get(id)?.type

/** Converts the parts of an effect to mutations, in their order. */
const toMutations = (effect: BatchEffect): StoreMutation[] => [
  ...effect.nodeDeletions.map(id => ({ op: 'deleteNode' as const, id })),
  ...effect.nodePuts.map(node => ({ op: 'putNode' as const, node })),
  ...effect.nodePatches.map(patch => ({ op: 'patchNode' as const, ...patch })),
  ...effect.edgeDeletions.map(edge => ({ op: 'deleteEdge' as const, edge })),
  ...effect.edgePuts.map(edge => ({ op: 'putEdge' as const, edge })),
  ...effect.tokenDeletions.map(digest => ({ op: 'deleteToken' as const, digest })),
  ...effect.tokenPuts.map(put => ({ op: 'putToken' as const, ...put })),
]

const keyOf = ({ source, name, target }: EdgeKey): string => JSON.stringify([source, name, target])

/** Returns the content of a model, independent of the order of its writes. */
const contentOf = ({ nodes, edges, tokens }: Model): unknown => ({
  nodes: Object.fromEntries(nodes),
  edges: Object.fromEntries(edges.map(edge => [keyOf(edge), edge])),
  tokens: [...tokens].sort(([a], [b]) => (a < b ? -1 : 1)),
})

/**
 * Returns the other side of each edge whose last change was a mirrored mutation that was also the last change
 * of the other side.
 */
const pairsOf = (mutations: readonly StoreMutation[]): ReadonlyMap<string, string> => {
  const pairs = new Map<string, string>()
  for (const mutation of mutations) {
    if (mutation.op !== 'putEdge' && mutation.op !== 'deleteEdge') continue
    const keys = [mutation.edge, ...(mutation.mirror === undefined ? [] : [mutation.mirror])].map(keyOf)
    for (const key of keys) {
      const formerMirror = pairs.get(key)
      if (formerMirror !== undefined) pairs.delete(formerMirror)
      pairs.delete(key)
    }
    const [edge, mirror] = keys
    if (edge !== undefined && mirror !== undefined && edge !== mirror)
      pairs.set(edge, mirror).set(mirror, edge)
  }
  return pairs
}

const captureOutcome = <T>(call: () => T): T | string => {
  try {
    return call()
  } catch (error) {
    return String(error)
  }
}

const batch = fc.array(mutation, { maxLength: 30 })
const before = graph.map(({ nodes, edges }) =>
  writeModel(createEmptyModel(), [
    ...nodes.map(node => ({ op: 'putNode' as const, node })),
    ...edges.map(edge => ({ op: 'putEdge' as const, edge })),
  ]),
)

describe('foldBatch', () => {
  it('has the same effect as the mutations one by one, and rejects the same mutations', () => {
    fc.assert(
      fc.property(before, batch, (model, mutations) => {
        const folded = captureOutcome(() => {
          const effect = toMutations(foldBatch(mutations, typesIn(model)))
          return contentOf(writeModel(model, effect))
        })
        expect(folded).toEqual(captureOutcome(() => contentOf(writeModel(model, mutations))))
      }),
      { numRuns: 1000 },
    )
  })

  it('returns one mutation for each node, edge and token, and two for a node that is deleted and put again', () => {
    fc.assert(
      fc.property(before, batch, (model, mutations) => {
        const effect = captureOutcome(() => foldBatch(mutations, typesIn(model)))
        if (typeof effect === 'string') return
        const once = (keys: readonly string[]) => expect(new Set(keys).size).toBe(keys.length)
        once([...effect.nodePuts.map(({ id }) => id), ...effect.nodePatches.map(({ id }) => id)])
        once([...effect.nodeDeletions, ...effect.nodePatches.map(({ id }) => id)])
        once([...effect.edgeDeletions, ...effect.edgePuts].map(keyOf))
        once([...effect.tokenDeletions, ...effect.tokenPuts.map(({ digest }) => digest)])
      }),
    )
  })

  it('pairs the sides of a mirrored edge if one mutation changed both last', () => {
    fc.assert(
      fc.property(before, batch, (model, mutations) => {
        const effect = captureOutcome(() => foldBatch(mutations, typesIn(model)))
        if (typeof effect === 'string') return
        const pairs = pairsOf(mutations)
        for (const edge of [...effect.edgeDeletions, ...effect.edgePuts]) {
          const mirror = effect.mirrorOf(edge)
          expect(mirror && keyOf(mirror)).toBe(pairs.get(keyOf(edge)))
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('returns the index of an invalid mutation among mutations that have mirrors', () => {
    const edge = { source: '1', name: 'likes', target: '2', time: 0 }
    const mirror = { source: '2', name: 'fans', target: '1' }
    const put: StoreMutation = { op: 'putEdge', edge, mirror }
    const invalid: StoreMutation = { op: 'putEdge', edge: { ...edge, target: '3' } }
    const typeOf = (id: NodeId) => (id === '3' ? undefined : 'thing')
    expect(() => foldBatch([put, put, invalid], typeOf)).toThrow('(#100) Mutation 2: "edge.target" must be')
  })

  it('rejects a mirror that is not an edge from the target to the source', () => {
    const mutation: StoreMutation = {
      op: 'deleteEdge',
      edge: { source: '1', name: 'likes', target: '2' },
      mirror: { source: '1', name: 'fans', target: '2' },
    }
    expect(() => foldBatch([mutation], () => 'thing')).toThrow(
      new TypeError(
        'store.write: "mutations[0].mirror" must be an edge from "2" to "1"; received an edge from "1" to "2"',
      ),
    )
  })

  it('requests only the types of the ids that collectNodeIds returns', () => {
    fc.assert(
      fc.property(before, batch, (model, mutations) => {
        const ids = collectNodeIds(mutations)
        captureOutcome(() =>
          foldBatch(mutations, id => {
            expect(ids).toContain(id)
            return typesIn(model)(id)
          }),
        )
      }),
    )
  })

  it('keeps nulls in patches of stored nodes, and removes them from nodes that the batch puts', () => {
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
    expect(JSON.stringify(effect.nodePatches)).toBe('[{"id":"1","fields":{"b":1,"a":null,"__proto__":1}}]')
    expect(JSON.stringify(effect.nodePuts)).toBe('[{"id":"2","type":"thing","fields":{"__proto__":1}}]')
  })

  it('throws an error with the invalid node id or mutation that was received', () => {
    const putNode: StoreMutation = { op: 'putNode', node: { id: '01', type: 'thing', fields: {} } }
    expect(() => foldBatch([putNode], () => undefined)).toThrow(
      '(#100) Mutation 0: "node.id" must be a node id; received "01"',
    )
    const unknown: StoreMutation = JSON.parse('{"op":"put"}')
    expect(() => foldBatch([unknown], () => undefined)).toThrow(
      new TypeError(
        'store.write: "mutations[0]" must be a mutation with an "op" such as "putNode"; received an object with op',
      ),
    )
  })
})

/** Fields with few names, so that patches overlap, in varying orders. */
const fields = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), fc.constantFrom(1, 2, null, { a: null })),
    { selector: ([name]) => name },
  )
  .map((entries): JsonObject => Object.fromEntries(entries))

describe('merged patches', () => {
  it('give the same result as the single patches one after the other', () => {
    fc.assert(
      fc.property(fields, fields, fields, (before, first, second) => {
        const joined = mergeFields(before, mergePatches(first, second))
        expect(JSON.stringify(joined)).toBe(JSON.stringify(mergeFields(mergeFields(before, first), second)))
      }),
      { numRuns: 1000 },
    )
  })

  it('move the fields that they set to the end, even a field that was removed before', () => {
    const before = { a: 1, b: 2, c: 3 }
    const patch = mergePatches({ b: null, a: null }, { a: 4 })
    expect(Object.entries(mergeFields(before, patch))).toEqual([
      ['c', 3],
      ['a', 4],
    ])
  })

  it('remove the fields that they set to null, and keep other fields that are already null', () => {
    expect(mergeFields({ a: null, b: null }, { b: null })).toEqual({ a: null })
  })
})
