import { createFeedGraph, createFeedMaps } from '../contenders/feed-readers.ts'
import { inTurn } from '../contenders/social-readers.ts'
import { createFeeds } from '../data/feed.ts'
import { compare } from '../measure/compare.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Row } from './row.ts'

export const createFeedRow = (): Row => ({
  name: 'workload-feed',
  title: 'a feed of 25 posts by friends, two in five of all, and three comments by friends on each',
  async measure() {
    const feeds = createFeeds()
    const graph = await createFeedGraph(feeds)
    const maps = createFeedMaps(feeds)
    const reads = feeds.viewers.flatMap(({ id }) =>
      feeds.groups.map(group => ({ viewer: id, group: group.id })),
    )
    await assertSameAnswers(reads, [graph.name, graph.readFeed], [maps.name, maps.readFeed], 'bytes')
    return compare(inTurn(reads, graph.name, graph.readFeed), [inTurn(reads, maps.name, maps.readFeed)])
  },
})
