import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { EdgeKey } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { MAX_CHAIN_LENGTH } from '../../../src/stores/memory/edge-list-layout.ts'
import {
  createGraphTables,
  findEdge,
  findList,
  forkGraphTables,
  type GraphTables,
} from '../../../src/stores/memory/graph-tables.ts'
import { Epochs } from '../../../src/stores/memory/paged-tables.ts'
import { readChecks } from '../../../src/stores/memory/read-request.ts'
import { writeBatch } from '../../../src/stores/memory/write-batch.ts'
import { propertySettings } from '../../property/property-settings.ts'

/** The number of edges of a long list. */
const LONG = 2 * MAX_CHAIN_LENGTH
const people = Array.from({ length: LONG }, (_, index) => `${index + 1}`)

const putNode = (id: string): StoreMutation => ({ op: 'putNode', node: { id, type: 'user', fields: {} } })
const putEdge = ({ source, name, target }: EdgeKey): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time: Number(target) % 7 },
})
const edgesTo = (source: string, name: string, targets: readonly string[]): EdgeKey[] =>
  targets.map(target => ({ source, name, target }))

const write = (tables: GraphTables, mutations: readonly StoreMutation[]): void =>
  writeBatch(tables, mutations)

const createTables = (edges: readonly EdgeKey[], epochs = new Epochs()): GraphTables => {
  const tables = createGraphTables(epochs)
  write(tables, [...people.map(putNode), ...edges.map(putEdge)])
  return tables
}

/** Returns the result of each check. Looks up each check separately. */
const findOneByOne = (tables: GraphTables, checks: readonly EdgeKey[]): boolean[] =>
  checks.map(({ source, name, target }) => {
    const list = findList(tables, tables.nodes.findNumber(source), name)
    return list !== 0 && findEdge(tables, list, tables.nodes.findNumber(target)) !== 0
  })

describe('edge checks in one list of 64 edges', () => {
  const tables = createTables(edgesTo('1', 'likes', people))
  const edgesOf = vi.spyOn(tables.outgoing, 'edgesOf')
  const readCounted = (checks: readonly EdgeKey[]) => {
    edgesOf.mockClear()
    return { results: readChecks(tables, checks), timesRead: edgesOf.mock.calls.length }
  }
  const existing = edgesTo('1', 'likes', ['64', '7', '7', '1'])
  const absent = [
    { source: '1', name: 'likes', target: '65' },
    { source: '1', name: 'knows', target: '7' },
    { source: '2', name: 'likes', target: '7' },
    { source: '65', name: 'likes', target: '7' },
  ]

  it('look up each edge if there are at most three checks', () => {
    expect(readCounted(existing.slice(0, 3))).toEqual({ results: [true, true, true], timesRead: 0 })
  })

  it('read the list once if there are four checks or more', () => {
    expect(readCounted(existing)).toEqual({ results: [true, true, true, true], timesRead: 1 })
    const [missing, ...elsewhere] = absent
    const mixed = [missing, ...existing, ...elsewhere].flatMap(check => check ?? [])
    expect(readCounted(mixed)).toEqual({
      results: [false, true, true, true, true, false, false, false],
      timesRead: 1,
    })
  })

  it('read the list once even if checks of other lists are between them', () => {
    const [first, second, third, fourth] = existing
    const [, otherName, otherSource, noSource] = absent
    const mixed = [first, otherName, second, otherSource, third, noSource, fourth].flatMap(
      check => check ?? [],
    )
    expect(readCounted(mixed)).toEqual({
      results: [true, false, true, false, true, false, true],
      timesRead: 1,
    })
  })
})

describe('edge checks in a memory store', () => {
  const anyEdgeKey = fc.record({
    source: fc.constantFrom('1', '2', '3', '65'),
    name: fc.constantFrom('likes', 'knows', 'never'),
    target: fc.oneof(fc.constantFrom(...people), fc.constant('65')),
  })
  /** Lists of any length, so that the same number of checks is large for one list and small for another. */
  const anyList = fc
    .tuple(fc.constantFrom('1', '2', '3'), fc.constantFrom('likes', 'knows'), fc.shuffledSubarray(people))
    .map(args => edgesTo(...args))
  const anyLists = fc.array(anyList, { maxLength: 5 }).map(lists => lists.flat())
  const anyDeleted = fc.uniqueArray(fc.constantFrom(...people), { maxLength: 8 })

  it('return whether each edge exists, the same as one check at a time', () => {
    const law = (edges: EdgeKey[], deleted: string[], checks: EdgeKey[]): void => {
      const tables = createTables(edges)
      write(
        tables,
        deleted.map(id => ({ op: 'deleteNode', id })),
      )
      const kept = edges.filter(
        ({ source, target }) => !deleted.includes(source) && !deleted.includes(target),
      )
      const isKept = (check: EdgeKey): boolean =>
        kept.some(edge => (['source', 'name', 'target'] as const).every(part => edge[part] === check[part]))
      const results = readChecks(tables, checks)
      expect(results).toEqual(findOneByOne(tables, checks))
      expect(results).toEqual(checks.map(isKept))
    }
    const property = fc.property(anyLists, anyDeleted, fc.array(anyEdgeKey, { maxLength: 24 }), law)
    fc.assert(property, propertySettings(100))
  })

  it('return the state at the time of the snapshot if they read a snapshot', () => {
    const law = (edges: EdgeKey[], deleted: string[], checks: EdgeKey[]): void => {
      const epochs = new Epochs()
      const tables = createTables(edges, epochs)
      const before = readChecks(tables, checks)
      epochs.openSnapshot()
      const fork = forkGraphTables(tables, epochs)
      write(tables, [
        ...deleted.map((id): StoreMutation => ({ op: 'deleteNode', id })),
        ...deleted.map(putNode),
      ])
      expect(readChecks(fork, checks)).toEqual(before)
    }
    const property = fc.property(anyLists, anyDeleted, fc.array(anyEdgeKey, { maxLength: 24 }), law)
    fc.assert(property, propertySettings(50))
  })
})
