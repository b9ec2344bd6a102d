import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../src/store/mutations.ts'
import type { Position } from '../helpers/naive-graph/positions.ts'
import {
  deleteLike,
  idsOf,
  listOptions,
  lists,
  openList,
  type PageBoundary,
  putLike,
  putNode,
  targets,
  times,
  WAYS,
  withTargets,
} from './edge-lists.ts'
import { propertySettings } from './property-settings.ts'

/** A write between two pages: it puts an edge, moves it to another time or deletes it, or deletes a node. */
type Change = { readonly op: 'put' | 'deleteEdge' | 'deleteNode' } & Position

const changes: Arbitrary<readonly (readonly Change[])[]> = fc.array(
  fc.array(
    fc.record({
      op: fc.constantFrom('put', 'put', 'deleteEdge', 'deleteNode'),
      time: times,
      target: targets,
    }),
    { maxLength: 4 },
  ),
  { maxLength: 8, size: 'max' },
)

const toMutations = ({ op, ...position }: Change): readonly StoreMutation[] => {
  if (op === 'put') return [putNode(position.target), ...putLike(position)]
  if (op === 'deleteEdge') return deleteLike(position.target)
  return [{ op: 'deleteNode', id: position.target }]
}

/** Returns the targets of edges that no write changes. A write may put the same edge again. */
const unchangedEntries = (list: readonly Position[], all: readonly Change[]): ReadonlySet<string> =>
  new Set(
    list
      .filter(({ time, target }) =>
        all.every(change => change.target !== target || (change.op === 'put' && change.time === time)),
      )
      .map(({ target }) => target),
  )

describe('pages between which edges are put, moved and deleted', () => {
  for (const direction of ['forwards', 'backwards'] as const) {
    it(`contain each edge that no write changes exactly once, read ${direction}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          lists,
          listOptions,
          changes,
          fc.constantFrom(...WAYS),
          async (list, options, changes, way) => {
            const { write, ways, kind } = await openList(list)
            const walked: string[] = []
            const all: Change[] = []
            const whole = await ways.call({ ...options, limit: 100 }, {})
            const end = whole.paging?.cursors.after
            const isForward = direction === 'forwards'
            let where: PageBoundary | undefined = isForward
              ? {}
              : end === undefined
                ? undefined
                : { before: end }
            let turn = 0
            while (where !== undefined) {
              const page = await ways[way](options, where)
              walked.push(...(isForward ? idsOf(page) : idsOf(page).toReversed()))
              const { next, previous, cursors } = page.paging ?? {}
              const hasMore = (isForward ? next : previous) !== undefined
              where =
                hasMore && cursors
                  ? isForward
                    ? { after: cursors.after }
                    : { before: cursors.before }
                  : undefined
              const batch = where === undefined ? [] : withTargets(kind, changes[turn++] ?? [])
              all.push(...batch)
              await write(...batch.flatMap(toMutations))
            }
            const constant = unchangedEntries(list, all)
            const ids = isForward ? idsOf(whole) : idsOf(whole).slice(0, -1).toReversed()
            expect(walked.filter(id => constant.has(id))).toEqual(ids.filter(id => constant.has(id)))
          },
        ),
        propertySettings(200),
      )
    })
  }
})
