import { describe, it } from 'vitest'
import { hasRedisServer } from '../helpers/redis.ts'
import { CAMPAIGN_TESTS, campaignSize, runCampaign } from '../helpers/run-campaign.ts'

const isLong = process.env.KITHGRAPH_LONG !== undefined
const stores = isLong ? ['redis', 'redis-cluster'] : ['redis']

describe.skipIf(!hasRedisServer('concurrent, paused and killed writers to Redis')).each(stores)(
  'writers to the same nodes of %s',
  CAMPAIGN_TESTS,
  store => {
    it('get invalid_mutation only if some order of the batches would reject the batch', () =>
      runCampaign('redis-hot-nodes', '--store', store, ...campaignSize(10_000)))

    it.runIf(isLong)('never get invalid_mutation if every node exists before and after each batch', () =>
      runCampaign('redis-hot-nodes', '--store', store, '--deletions', 'renewals', ...campaignSize(10_000)),
    )

    it('do not lose a node and its edges to a paused writer that still deletes an earlier node', () =>
      runCampaign(
        'redis-late-purge',
        '--store',
        store,
        '--pause',
        isLong ? '2000' : '500',
        ...campaignSize(96),
      ))

    it('leave both sides of each symmetric edge equal, whatever the order of their steps', () =>
      runCampaign('redis-races', '--store', store, ...campaignSize(20_000)))

    it('leave both sides of each edge equal if they are killed between the two sides', () => {
      // A check in a process of its own takes longer than a short run.
      const completions = isLong ? [] : ['--completions', 'recover()']
      return runCampaign('redis-writer-kills', '--store', store, ...completions, ...campaignSize(1000))
    })
  },
)
