import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Mutation, Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { seededDraws } from '../helpers/scan-seams.ts'
import { asked, idsOf } from './edge-lists.ts'
import {
  deleteEntry,
  type Entry,
  endOf,
  entries,
  openPolicedList,
  pagesOf,
  policedLists,
  putEntry,
  scanLimits,
  visibleIn,
  visibleWholeOf,
  walk,
  ways,
} from './policed-lists.ts'
import { settings } from './settings.ts'

/** What is written while a list is walked: an entry comes, changes its time or whether it may be seen, or goes. */
type Change = { readonly op: 'put' | 'deleteEdge' | 'deleteNode'; readonly entry: Entry }

const changes: Arbitrary<readonly (readonly Change[])[]> = fc.array(
  fc.array(fc.record({ op: fc.constantFrom('put', 'put', 'deleteEdge', 'deleteNode'), entry: entries }), {
    maxLength: 4,
  }),
  { maxLength: 12, size: 'max' },
)

const mutationsOf = ({ op, entry }: Change): readonly Mutation[] => {
  if (op === 'put') return putEntry(entry)
  return [op === 'deleteEdge' ? deleteEntry(entry) : { op: 'deleteNode', id: entry.target }]
}

/** What may be seen from the first page to the last, at one time: untouched, or written again just as it was. */
const constantIn = (list: readonly Entry[], made: readonly Change[]): readonly Entry[] =>
  visibleIn(list).filter(entry =>
    made.every(
      ({ op, entry: { target, time, state } }) =>
        target !== entry.target || (op === 'put' && time === entry.time && state === entry.state),
    ),
  )

describe('while entries come, go, move, show and hide before every read of the store', () => {
  it('nothing is lost or doubled that is visible throughout', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          list: policedLists,
          asked,
          way: ways,
          limit: fc.option(scanLimits, { nil: undefined }),
          changes,
        }),
        fc.boolean(),
        async ({ list, asked, way, limit, changes }, isForward) => {
          const before = isForward ? undefined : await endOf(list, asked)
          const made: Change[] = []
          let turn = 0
          const wrap = (store: Store): Store =>
            delegateStore(store, {
              read: async (wave, options) => {
                const batch = changes[turn++] ?? []
                made.push(...batch)
                await store.write(batch.flatMap(mutationsOf), { signal: undefined })
                return store.read(wave, options)
              },
            })
          // Only a page of getEdge without a count may end at a limit.
          const opened = await openPolicedList(list, {
            wrap,
            ...(limit && {
              limits: { scan: limit.scan },
              summary: false,
              drawUniform: seededDraws(limit.seed),
            }),
          })
          const cutWay = way === 'link' ? 'link' : 'call'
          const pages = await pagesOf(walk(opened, limit === undefined ? way : cutWay, asked, { before }))
          const walked = (isForward || before === undefined ? pages : pages.toReversed()).flatMap(idsOf)
          const constant = visibleWholeOf(constantIn(list, made), asked)
          const last = visibleWholeOf(list, asked).at(-1)
          const expected = before === undefined ? constant : constant.filter(id => id !== last)
          expect(walked.filter(id => expected.includes(id))).toEqual(expected)
        },
      ),
      settings(200),
    )
  })
})
