import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import type { Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { kindOfList } from '../helpers/id-kinds.ts'
import { createSeededDraw } from '../helpers/scan-overrides.ts'
import { idsOf } from './edge-lists.ts'
import {
  type Entry,
  entries,
  filterVisible,
  type PolicyListOptions,
  policyListOptions,
  policyLists,
  readWholeVisible,
  withEntryTargets,
} from './policy-entries.ts'
import {
  collectPages,
  deleteEntry,
  findEndCursor,
  openPolicyList,
  putEntry,
  scanLimits,
  walkPages,
  ways,
} from './policy-lists.ts'
import { propertySettings } from './property-settings.ts'

/**
 * A write during a walk: it puts an entry, changes its time or visibility, or deletes the edge or the target.
 */
type Change = { readonly op: 'put' | 'deleteEdge' | 'deleteNode'; readonly entry: Entry }

const changes: Arbitrary<readonly (readonly Change[])[]> = fc.array(
  fc.array(fc.record({ op: fc.constantFrom('put', 'put', 'deleteEdge', 'deleteNode'), entry: entries }), {
    maxLength: 4,
  }),
  { maxLength: 12, size: 'max' },
)

/** Returns changes of digits with targets of a kind. */
const withChangedTargets = (kind: IdKind, changes: readonly Change[]): readonly Change[] =>
  changes.map(({ op, entry }) => ({ op, entry: withEntryTargets(kind, [entry])[0] ?? entry }))

const toMutations = ({ op, entry }: Change): readonly StoreMutation[] => {
  if (op === 'put') return putEntry(entry)
  return op === 'deleteEdge' ? deleteEntry(entry) : [{ op: 'deleteNode', id: entry.target }]
}

const isSameEntry = (one: Entry, other: Entry): boolean =>
  one.time === other.time && one.state === other.state && one.mark === other.mark

/**
 * Returns the visible entries that pass the filter and that no write changes. A write may put the same entry
 * again.
 */
const unchangedEntries = (
  list: readonly Entry[],
  listCall: PolicyListOptions,
  made: readonly Change[],
): readonly Entry[] =>
  filterVisible(list, listCall).filter(entry =>
    made.every(
      change =>
        change.entry.target !== entry.target || (change.op === 'put' && isSameEntry(change.entry, entry)),
    ),
  )

describe('pages of a list that is changed between store reads', () => {
  it('contain each entry that is visible, passes the filter and is not changed exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          list: policyLists,
          listCall: policyListOptions,
          way: ways,
          limit: fc.option(scanLimits, { nil: undefined }),
          changes,
        }),
        fc.boolean(),
        async ({ list, listCall, way, limit, changes }, isForward) => {
          const kind = kindOfList(list)
          const before = isForward ? undefined : await findEndCursor(list, listCall)
          const made: Change[] = []
          let turn = 0
          const wrap = (store: Store): Store =>
            delegateStore(store, {
              read: async (request, options) => {
                const batch = withChangedTargets(kind, changes[turn++] ?? [])
                made.push(...batch)
                await store.write(batch.flatMap(toMutations), { signal: undefined })
                return store.read(request, options)
              },
            })
          // Only a page of getEdge without a count may end at the drawn limit.
          const opened = await openPolicyList(list, {
            wrap,
            ...(limit && {
              limits: { scan: limit.scan },
              summary: false,
              drawUniform: createSeededDraw(limit.seed),
            }),
          })
          const cutWay = way === 'link' ? 'link' : 'call'
          const pages = await collectPages(
            walkPages(opened, limit === undefined ? way : cutWay, listCall, { before }),
          )
          const walked = (isForward || before === undefined ? pages : pages.toReversed()).flatMap(idsOf)
          const constant = readWholeVisible(unchangedEntries(list, listCall, made), listCall)
          const last = readWholeVisible(list, listCall).at(-1)
          const expected = before === undefined ? constant : constant.filter(id => id !== last)
          expect(walked.filter(id => expected.includes(id))).toEqual(expected)
        },
      ),
      propertySettings(120, 2000),
    )
  })
})
