import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Mutation } from '../../src/store/contract.ts'
import type { Position } from '../helpers/naive-graph/positions.ts'
import {
  asked,
  deleteLike,
  idsOf,
  lists,
  openList,
  putLike,
  putNode,
  targets,
  times,
  WAYS,
  type Where,
} from './edge-lists.ts'
import { settings } from './settings.ts'

/** What is written between two pages: an edge comes, changes its time, or goes; or a node goes with its edges. */
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

const mutationsOf = ({ op, ...position }: Change): readonly Mutation[] => {
  if (op === 'put') return [putNode(position.target), putLike(position)]
  if (op === 'deleteEdge') return [deleteLike(position.target)]
  return [{ op: 'deleteNode', id: position.target }]
}

/** Who is there from the first page to the last, at one time: untouched, or written again just as it was. */
const constantIn = (list: readonly Position[], all: readonly Change[]): ReadonlySet<string> =>
  new Set(
    list
      .filter(({ time, target }) =>
        all.every(change => change.target !== target || (change.op === 'put' && change.time === time)),
      )
      .map(({ target }) => target),
  )

describe('while edges come, move and go between two pages', () => {
  for (const direction of ['forwards', 'backwards'] as const) {
    it(`no edge that is there throughout is lost or doubled, walking ${direction}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          lists,
          asked,
          changes,
          fc.constantFrom(...WAYS),
          async (list, asked, changes, way) => {
            const { write, ways } = await openList(list)
            const walked: string[] = []
            const all: Change[] = []
            const whole = await ways.call({ ...asked, limit: 100 }, {})
            const end = whole.paging?.cursors.after
            const isForward = direction === 'forwards'
            let where: Where | undefined = isForward ? {} : end === undefined ? undefined : { before: end }
            let turn = 0
            while (where !== undefined) {
              const page = await ways[way](asked, where)
              walked.push(...(isForward ? idsOf(page) : idsOf(page).toReversed()))
              const { next, previous, cursors } = page.paging ?? {}
              const more = (isForward ? next : previous) !== undefined
              where =
                more && cursors
                  ? isForward
                    ? { after: cursors.after }
                    : { before: cursors.before }
                  : undefined
              const batch = where === undefined ? [] : (changes[turn++] ?? [])
              all.push(...batch)
              await write(...batch.flatMap(mutationsOf))
            }
            const constant = constantIn(list, all)
            const ids = isForward ? idsOf(whole) : idsOf(whole).slice(0, -1).toReversed()
            expect(walked.filter(id => constant.has(id))).toEqual(ids.filter(id => constant.has(id)))
          },
        ),
        settings(200),
      )
    })
  }
})
