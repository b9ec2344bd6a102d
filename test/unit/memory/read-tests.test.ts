import fc from 'fast-check'
import { Immer } from 'immer'
import { describe, expect, it, vi } from 'vitest'
import type { EdgeTest, Mutation } from '../../../src/store/contract.ts'
import { Epochs } from '../../../src/stores/memory/epochs.ts'
import {
  createGraphTables,
  findEdge,
  findList,
  forkGraphTables,
  type GraphTables,
} from '../../../src/stores/memory/graph-tables.ts'
import { LONGEST_CHAIN } from '../../../src/stores/memory/list-size.ts'
import { readTests } from '../../../src/stores/memory/read-tests.ts'
import { writeBatch } from '../../../src/stores/memory/write-batch.ts'
import { settings } from '../../property/settings.ts'

/** As many edges as make a list long. */
const LONG = 2 * LONGEST_CHAIN
const people = Array.from({ length: LONG }, (_, index) => `${index + 1}`)

const putNode = (id: string): Mutation => ({ op: 'putNode', node: { id, type: 'user', fields: {} } })
const putEdge = ({ source, name, target }: EdgeTest): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time: Number(target) % 7 },
})
const edgesTo = (source: string, name: string, targets: readonly string[]): EdgeTest[] =>
  targets.map(target => ({ source, name, target }))

const write = (tables: GraphTables, mutations: readonly Mutation[]): void =>
  writeBatch(tables, new Immer(), mutations)

const tablesOf = (edges: readonly EdgeTest[], epochs = new Epochs()): GraphTables => {
  const tables = createGraphTables(epochs)
  write(tables, [...people.map(putNode), ...edges.map(putEdge)])
  return tables
}

/** The same, each test on its own. */
const soughtOneByOne = (tables: GraphTables, tests: readonly EdgeTest[]): boolean[] =>
  tests.map(({ source, name, target }) => {
    const list = findList(tables, tables.nodes.find(source), name)
    return list !== 0 && findEdge(tables, list, tables.nodes.find(target)) !== 0
  })

describe('tests of one list of 64 edges', () => {
  const tables = tablesOf(edgesTo('1', 'likes', people))
  const readThrough = vi.spyOn(tables.outgoing, 'edges')
  const ask = (tests: readonly EdgeTest[]) => {
    readThrough.mockClear()
    return { answer: readTests(tables, tests), timesRead: readThrough.mock.calls.length }
  }
  const there = edgesTo('1', 'likes', ['64', '7', '7', '1'])
  const absent = [
    { source: '1', name: 'likes', target: '65' },
    { source: '1', name: 'knows', target: '7' },
    { source: '2', name: 'likes', target: '7' },
    { source: '65', name: 'likes', target: '7' },
  ]

  it('are sought where there are three of them', () => {
    expect(ask(there.slice(0, 3))).toEqual({ answer: [true, true, true], timesRead: 0 })
  })

  it('are answered by reading it through once where there are four, or more', () => {
    expect(ask(there)).toEqual({ answer: [true, true, true, true], timesRead: 1 })
    const [missing, ...elsewhere] = absent
    const mixed = [missing, ...there, ...elsewhere].flatMap(test => test ?? [])
    expect(ask(mixed)).toEqual({
      answer: [false, true, true, true, true, false, false, false],
      timesRead: 1,
    })
  })

  it('are told apart from those of other lists, in whatever order they come', () => {
    const [first, second, third, fourth] = there
    const [, otherName, otherSource, noSource] = absent
    const mixed = [first, otherName, second, otherSource, third, noSource, fourth].flatMap(test => test ?? [])
    expect(ask(mixed)).toEqual({ answer: [true, false, true, false, true, false, true], timesRead: 1 })
  })
})

describe('tests', () => {
  const anyTest = fc.record({
    source: fc.constantFrom('1', '2', '3', '65'),
    name: fc.constantFrom('likes', 'knows', 'never'),
    target: fc.oneof(fc.constantFrom(...people), fc.constant('65')),
  })
  /** Lists of any length, so that the same number of tests is many for one and few for another. */
  const anyList = fc
    .tuple(fc.constantFrom('1', '2', '3'), fc.constantFrom('likes', 'knows'), fc.shuffledSubarray(people))
    .map(args => edgesTo(...args))
  const anyLists = fc.array(anyList, { maxLength: 5 }).map(lists => lists.flat())
  const anyGone = fc.uniqueArray(fc.constantFrom(...people), { maxLength: 8 })

  it('are answered as if each were sought alone, and as the edges are that were written', () => {
    const law = (edges: EdgeTest[], gone: string[], tests: EdgeTest[]): void => {
      const tables = tablesOf(edges)
      write(
        tables,
        gone.map(id => ({ op: 'deleteNode', id })),
      )
      const left = edges.filter(({ source, target }) => !gone.includes(source) && !gone.includes(target))
      const isLeft = (test: EdgeTest): boolean =>
        left.some(edge => (['source', 'name', 'target'] as const).every(end => edge[end] === test[end]))
      const answer = readTests(tables, tests)
      expect(answer).toEqual(soughtOneByOne(tables, tests))
      expect(answer).toEqual(tests.map(isLeft))
    }
    const property = fc.property(anyLists, anyGone, fc.array(anyTest, { maxLength: 24 }), law)
    fc.assert(property, settings(100))
  })

  it('are answered of a snapshot as things were when it was taken', () => {
    const law = (edges: EdgeTest[], gone: string[], tests: EdgeTest[]): void => {
      const epochs = new Epochs()
      const tables = tablesOf(edges, epochs)
      const before = readTests(tables, tests)
      epochs.open()
      const fork = forkGraphTables(tables, epochs)
      write(tables, [...gone.map((id): Mutation => ({ op: 'deleteNode', id })), ...gone.map(putNode)])
      expect(readTests(fork, tests)).toEqual(before)
    }
    const property = fc.property(anyLists, anyGone, fc.array(anyTest, { maxLength: 24 }), law)
    fc.assert(property, settings(50))
  })
})
