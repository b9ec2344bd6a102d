import fc from 'fast-check'
import { createMemoryStore, type MemorySnapshot, type MemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { Mutation } from '../../../src/store/contract.ts'
import { anyMutation, anyWave } from './arbitraries.ts'
import { PlainStore } from './plain-store.ts'

const anyBatch = fc.array(anyMutation, { maxLength: 60 })

/** The mutations of a batch that are good, one after another, and the plain store after them. */
const keepGood = (before: PlainStore, batch: readonly Mutation[]) => {
  const plain = new PlainStore(before)
  const good = plain.applyGood(batch)
  return { plain, good }
}

/** A value as text, order of keys included. A field called `constructor` misleads a comparison of objects. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (member === undefined ? '(undefined)' : member), 1)

/** All that a store holds but its tokens. */
const recordsOf = (store: MemoryStore): Mutation[] =>
  [...store.dump()].map(line => {
    const record = JSON.parse(line)
    return 'node' in record ? { op: 'putNode', node: record.node } : { op: 'putEdge', edge: record.edge }
  })

describe('a memory store beside maps, filters and sorts', () => {
  it('answers every wave alike, whatever batches were written', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyBatch, anyWave), { maxLength: 6 }), steps => {
        const store = createMemoryStore()
        let plain = new PlainStore()
        for (const [batch, wave] of steps) {
          const kept = keepGood(plain, batch)
          store.write(kept.good)
          plain = kept.plain
          expect(textOf(store.read(wave))).toBe(textOf(plain.read(wave)))
        }
      }),
    )
  })

  it('writes all of a batch or, where one mutation is bad, nothing', () => {
    fc.assert(
      fc.property(anyBatch, anyBatch, anyWave, (first, second, wave) => {
        const store = createMemoryStore()
        const { plain, good } = keepGood(new PlainStore(), first)
        store.write(good)
        const after = keepGood(plain, second)
        const isGood = after.good.length === second.length
        if (isGood) store.write(second)
        else expect(() => store.write(second)).toThrow(/^\(#100\) Mutation \d+: /)
        expect(textOf(store.read(wave))).toBe(textOf((isGood ? after.plain : plain).read(wave)))
      }),
    )
  })

  it('keeps every snapshot as the store was, in whatever order they are closed', () => {
    const anyStep = fc.record({ batch: anyBatch, opens: fc.boolean(), closes: fc.option(fc.nat({ max: 3 })) })
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 10 }), anyWave, (steps, wave) => {
        const store = createMemoryStore()
        let plain = new PlainStore()
        const open: { snapshot: MemorySnapshot; copy: PlainStore }[] = []
        for (const { batch, opens, closes } of steps) {
          if (opens) open.push({ snapshot: store.snapshot(), copy: plain })
          const kept = keepGood(plain, batch)
          store.write(kept.good)
          plain = kept.plain
          for (const { snapshot, copy } of open)
            expect(textOf(snapshot.read(wave))).toBe(textOf(copy.read(wave)))
          if (closes !== null) open.splice(closes, 1)[0]?.snapshot.close()
          expect(textOf(store.read(wave))).toBe(textOf(plain.read(wave)))
        }
      }),
    )
  })

  it('dumps lines that make the same store again, and the same lines', () => {
    fc.assert(
      fc.property(anyBatch, anyWave, (batch, wave) => {
        const store = createMemoryStore()
        const { plain, good } = keepGood(new PlainStore(), batch)
        store.write(good)
        const copy = createMemoryStore()
        copy.write(recordsOf(store))
        const withoutTokens = { ...wave, tokens: [] }
        expect(textOf(copy.read(withoutTokens))).toBe(textOf(plain.read(withoutTokens)))
        expect([...copy.dump()]).toStrictEqual([...store.dump()])
      }),
    )
  })

  it('dumps the state at the call, whatever is written while the lines are read', () => {
    fc.assert(
      fc.property(anyBatch, anyBatch, (first, second) => {
        const store = createMemoryStore()
        const { plain, good } = keepGood(new PlainStore(), first)
        store.write(good)
        const expected = [...store.dump()]
        const lines = store.dump()
        const read: string[] = []
        const later = keepGood(plain, second).good
        for (const line of lines) {
          read.push(line)
          store.write(
            later.splice(0, 3).filter(mutation => mutation.op !== 'putEdge' && mutation.op !== 'patchNode'),
          )
        }
        expect(read).toStrictEqual(expected)
      }),
    )
  })
})
