import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isFirstSide } from '../../../src/store/mirrors.ts'

describe('the first side of a mirrored edge', () => {
  it('is the side with the smaller source, whatever the names are', () => {
    const [edge, mirror] = [
      { source: '9', name: 'z', target: '10' },
      { source: '10', name: 'a', target: '9' },
    ]
    expect([isFirstSide(edge, mirror), isFirstSide(mirror, edge)]).toEqual([true, false])
  })

  it('is the side with the smaller name in UTF-8 if the sources are equal', () => {
    const toEdge = (name: string) => ({ source: '5', name, target: '5' })
    const isFirst = (a: string, b: string): boolean => isFirstSide(toEdge(a), toEdge(b))
    // As UTF-16, the second name of this pair is the smaller one.
    expect([isFirst('\uffff', '\u{10000}'), isFirst('\u{10000}', '\uffff')]).toEqual([true, false])
    const name = fc.string({ unit: fc.constantFrom('', 'a', 'é', '\uffff', '\u{10000}'), maxLength: 4 })
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(isFirst(a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0)
      }),
    )
  })
})
