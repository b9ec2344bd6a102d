import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AheadStep, Condition, EdgeRange, ReadAhead } from '../../src/store/contract.ts'
import { divideExaminedRows } from '../../src/store/divide-examined-rows.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'

const CONDITIONS: readonly Condition[] = [{ kind: 'node', id: '7' }]
const MAX_ROWS = 1_000_000

const filters = fc.record({
  conditions: fc.constantFrom(CONDITIONS, undefined),
  maxExamined: fc.integer({ min: 1, max: 10 * MAX_ROWS }),
})

const hints: fc.Arbitrary<ReadAhead | undefined> = fc.letrec<{
  hint: ReadAhead | undefined
  step: AheadStep
}>(tie => ({
  hint: fc.option(
    fc
      .dictionary(fc.constantFrom('user', 'photo'), fc.array(tie('step'), { minLength: 1, maxLength: 2 }))
      .map((steps): ReadAhead => new Map(Object.entries(steps))),
    { nil: undefined, maxDepth: 3 },
  ),
  step: fc.oneof(
    fc.record({ kind: fc.constant('ref' as const), field: fc.constant('owner'), ahead: tie('hint') }),
    fc.tuple(filters, tie('hint'), fc.integer({ min: 1, max: 5 })).map(
      ([filter, ahead, limit]): AheadStep => ({
        kind: 'list',
        name: 'likes',
        direction: 'newest',
        count: false,
        limit,
        ahead,
        ...filter,
      }),
    ),
  ),
})).hint

const requests = fc
  .tuple(
    fc.array(fc.tuple(filters, hints, fc.integer({ min: 0, max: 5 })), { maxLength: 4 }),
    fc.array(hints, { maxLength: 4 }),
  )
  .map(([ranges, nodesAhead]) => ({
    ...EMPTY_REQUEST,
    nodes: nodesAhead.map(() => '1'),
    nodesAhead,
    ranges: ranges.map(
      ([filter, ahead, limit]): EdgeRange => ({ ...createRange('1', 'likes', { limit }), ...filter, ahead }),
    ),
  }))

type Filtered = Pick<EdgeRange, 'conditions' | 'maxExamined'>

const rowsOf = ({ conditions, maxExamined = 0 }: Filtered): number =>
  conditions === undefined ? 0 : maxExamined

/** Returns the most rows that a store examines for a hint below one record. */
const maxRowsBelow = (ahead: ReadAhead | undefined): number =>
  Math.max(
    0,
    ...[...(ahead?.values() ?? [])].map(steps =>
      steps.reduce(
        (sum, step) =>
          sum +
          (step.kind === 'ref'
            ? maxRowsBelow(step.ahead)
            : rowsOf(step) + step.limit * maxRowsBelow(step.ahead)),
        0,
      ),
    ),
  )

describe('the rows that a read may examine under conditions', () => {
  it('are at most 1,000,000, for all ranges and all lists that are read ahead', () => {
    fc.assert(
      fc.property(requests, request => {
        const { ranges, nodesAhead = [] } = divideExaminedRows(request)
        const ofNodes = nodesAhead.reduce((sum, ahead) => sum + maxRowsBelow(ahead), 0)
        const ofRanges = ranges.reduce(
          (sum, range) => sum + rowsOf(range) + range.limit * maxRowsBelow(range.ahead),
          0,
        )
        expect(ofNodes + ofRanges).toBeLessThanOrEqual(MAX_ROWS)
      }),
    )
  })

  it('are at least one for each list', () => {
    fc.assert(
      fc.property(requests, request => {
        const { ranges } = divideExaminedRows(request)
        for (const range of ranges) expect(range.maxExamined ?? 1).toBeGreaterThan(0)
      }),
    )
  })

  it('leave a hint that records share shared, and any other part of a read unchanged', () => {
    const list: AheadStep = {
      kind: 'list',
      name: 'likes',
      direction: 'newest',
      count: false,
      limit: 3,
      conditions: CONDITIONS,
      maxExamined: 9,
    }
    const hint: ReadAhead = new Map([['user', [list]]])
    const { nodesAhead } = divideExaminedRows({
      ...EMPTY_REQUEST,
      nodes: ['1', '2'],
      nodesAhead: [hint, hint],
    })
    expect(nodesAhead?.[0]).toBe(nodesAhead?.[1])
    expect(nodesAhead?.[0]).toEqual(new Map([['user', [{ ...list, ahead: undefined, maxExamined: 5 }]]]))
    const plain = { ...EMPTY_REQUEST, ranges: [createRange('1', 'likes')] }
    expect(divideExaminedRows(plain)).toBe(plain)
  })
})
