import { type Rule, socialSchema, viewerHasEdge } from 'kithgraph'
import { inTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Row } from './row.ts'

const allow: Rule = { name: 'allow', decide: () => 'allow' }

/** Everyone is let in by a rule, on every type. */
const allowing = {
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

/** Everyone is let in, after the store was asked for friends. */
const asking = {
  schema: socialSchema.extend({
    user: { policy: [viewerHasEdge('friends'), allow] },
    photo: { policy: byFriends },
    comment: { policy: byFriends },
  }),
}

export const createPoliciesRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'policies',
  title: '71 nodes in 4 levels under policies that let all of it be seen',
  async measure() {
    const { viewers, graph, graphWith } = await readersOf()
    const open = await graphWith('a rule on every type', allowing)
    const asked = await graphWith('rules that ask for friends', asking)
    for (const { name, getPhotos } of [open, asked]) {
      await assertSameAnswers(viewers, [graph.name, graph.getPhotos], [name, getPhotos], 'bytes')
    }
    const bare = inTurn(viewers, 'no policies', graph.getPhotos)
    return [
      ...(await compare(inTurn(viewers, open.name, open.getPhotos), [{ ...bare, bar: { atMost: 1.3 } }])),
      ...(await compare(inTurn(viewers, asked.name, asked.getPhotos), [bare])),
    ]
  },
})
