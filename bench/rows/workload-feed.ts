import { createFeedGraph, createFeedMaps } from '../contenders/feed-readers.ts'
import { readInTurn } from '../contenders/social-readers.ts'
import { createFeeds } from '../data/feed.ts'
import { compare } from '../measure/compare.ts'
import { assertSameResults } from '../measure/same-results.ts'
import type { Row } from './row.ts'

export const createFeedRow = (): Row => ({
  name: 'workload-feed',
  title:
    'a feed of 25 posts by friends, with three comments by friends on each; two of five people are friends',
  async measure() {
    const feeds = createFeeds()
    const graph = await createFeedGraph(feeds)
    const maps = createFeedMaps(feeds)
    const reads = feeds.viewers.flatMap(({ id }) =>
      feeds.groups.map(group => ({ viewer: id, group: group.id })),
    )
    await assertSameResults(reads, [graph.name, graph.readFeed], [maps.name, maps.readFeed], 'bytes')
    return compare(readInTurn(reads, graph.name, graph.readFeed), [
      readInTurn(reads, maps.name, maps.readFeed),
    ])
  },
})
