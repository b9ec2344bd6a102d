import { canSee, type Rule, socialSchema, viewerHasEdge } from 'kithgraph'
import { readInTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import { assertSameResults } from '../measure/same-results.ts'
import type { Row } from './row.ts'

const allow: Rule = { name: 'allow', decide: () => 'allow' }

/** Options with a rule on each type that allows everyone. */
const allowOptions = {
  schema: socialSchema.extend({
    user: { policy: [allow] },
    page: { policy: [allow] },
    group: { policy: [allow] },
    post: { policy: [allow] },
    photo: { policy: [allow] },
    comment: { policy: [allow] },
  }),
}

const byFriends = [viewerHasEdge('friends', { of: 'from' }), allow]

/** Options with rules that check in the store whether people are friends, and then allow everyone. */
const checkOptions = {
  schema: socialSchema.extend({
    user: { policy: [viewerHasEdge('friends'), allow] },
    photo: { policy: byFriends },
    comment: { policy: byFriends },
  }),
}

const byPerson = [canSee('from'), allow]

/** Options with the same checks for photos and comments, through the policy of the person in `from`. */
const inheritOptions = {
  schema: socialSchema.extend({
    user: { policy: [viewerHasEdge('friends'), allow] },
    photo: { policy: byPerson },
    comment: { policy: byPerson },
  }),
}

export const createPoliciesRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'policies',
  title: 'the query for 71 nodes with policies that allow everything',
  async measure() {
    const { viewers, graph, graphWith } = await readersOf()
    const open = await graphWith('a rule on every type', allowOptions)
    const checkedGraph = await graphWith('rules that check friends', checkOptions)
    const inheritingGraph = await graphWith('canSee of one level', inheritOptions)
    for (const { name, getPhotos } of [open, checkedGraph, inheritingGraph]) {
      await assertSameResults(viewers, [graph.name, graph.getPhotos], [name, getPhotos], 'bytes')
    }
    const withoutPolicies = readInTurn(viewers, 'no policies', graph.getPhotos)
    return [
      ...(await compare(readInTurn(viewers, open.name, open.getPhotos), [
        { ...withoutPolicies, bar: { max: 1.3 } },
      ])),
      ...(await compare(readInTurn(viewers, checkedGraph.name, checkedGraph.getPhotos), [withoutPolicies])),
      ...(await compare(readInTurn(viewers, inheritingGraph.name, inheritingGraph.getPhotos), [
        { ...readInTurn(viewers, checkedGraph.name, checkedGraph.getPhotos), bar: { max: 1.5 } },
      ])),
    ]
  },
})
