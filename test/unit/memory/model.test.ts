import fc from 'fast-check'
import { createMemoryStore, type MemorySnapshot, type MemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { PlainStore } from './plain-store.ts'
import { anyMutation, anyRequest } from './record-arbitraries.ts'

const anyBatch = fc.array(anyMutation, { maxLength: 60 })

/** Returns the valid mutations of a batch, and the plain store after them. */
const keepValid = (before: PlainStore, batch: readonly StoreMutation[]) => {
  const plain = new PlainStore(before)
  const valid = plain.applyValid(batch)
  return { plain, valid }
}

/**
 * Returns a value as text, so that the order of keys is compared too. Vitest compares objects with a field
 * `constructor` incorrectly.
 */
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (member === undefined ? '(undefined)' : member), 1)

/** Returns the mutations that put all nodes and edges of a store. */
const readRecords = (store: MemoryStore): StoreMutation[] =>
  [...store.dump()].map(line => {
    const record = JSON.parse(line)
    return 'node' in record ? { op: 'putNode', node: record.node } : { op: 'putEdge', edge: record.edge }
  })

describe('a memory store compared with a simple reference model', () => {
  it('returns the same for every read, whatever batches were written', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyBatch, anyRequest), { maxLength: 6 }), steps => {
        const store = createMemoryStore()
        let plain = new PlainStore()
        for (const [batch, request] of steps) {
          const kept = keepValid(plain, batch)
          store.write(kept.valid)
          plain = kept.plain
          expect(toText(store.read(request))).toBe(toText(plain.read(request)))
        }
      }),
    )
  })

  it('writes a whole batch, or nothing if one mutation is invalid', () => {
    fc.assert(
      fc.property(anyBatch, anyBatch, anyRequest, (first, second, request) => {
        const store = createMemoryStore()
        const { plain, valid } = keepValid(new PlainStore(), first)
        store.write(valid)
        const after = keepValid(plain, second)
        const isValid = after.valid.length === second.length
        if (isValid) store.write(second)
        else expect(() => store.write(second)).toThrow(/^\(#100\) Mutation \d+: /)
        expect(toText(store.read(request))).toBe(toText((isValid ? after.plain : plain).read(request)))
      }),
    )
  })

  it('keeps every snapshot unchanged, in whatever order snapshots are closed', () => {
    const anyStep = fc.record({ batch: anyBatch, opens: fc.boolean(), closes: fc.option(fc.nat({ max: 3 })) })
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 10 }), anyRequest, (steps, request) => {
        const store = createMemoryStore()
        let plain = new PlainStore()
        const open: { snapshot: MemorySnapshot; copy: PlainStore }[] = []
        for (const { batch, opens, closes } of steps) {
          if (opens) open.push({ snapshot: store.snapshot(), copy: plain })
          const kept = keepValid(plain, batch)
          store.write(kept.valid)
          plain = kept.plain
          for (const { snapshot, copy } of open)
            expect(toText(snapshot.read(request))).toBe(toText(copy.read(request)))
          if (closes !== null) open.splice(closes, 1)[0]?.snapshot.close()
          expect(toText(store.read(request))).toBe(toText(plain.read(request)))
        }
      }),
    )
  })

  it('dumps lines that load into an equal store with an equal dump', () => {
    fc.assert(
      fc.property(anyBatch, anyRequest, (batch, request) => {
        const store = createMemoryStore()
        const { plain, valid } = keepValid(new PlainStore(), batch)
        store.write(valid)
        const copy = createMemoryStore()
        copy.write(readRecords(store))
        const withoutTokens = { ...request, tokens: [] }
        expect(toText(copy.read(withoutTokens))).toBe(toText(plain.read(withoutTokens)))
        expect([...copy.dump()]).toStrictEqual([...store.dump()])
      }),
    )
  })

  it('dumps the state at the time of the call, whatever is written while the lines are read', () => {
    fc.assert(
      fc.property(anyBatch, anyBatch, (first, second) => {
        const store = createMemoryStore()
        const { plain, valid } = keepValid(new PlainStore(), first)
        store.write(valid)
        const expected = [...store.dump()]
        const lines = store.dump()
        const read: string[] = []
        const later = keepValid(plain, second).valid
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
