import { describe, it } from 'vitest'
import { hasRedisServer } from '../helpers/redis.ts'
import { CAMPAIGN_TESTS, campaignSize, runCampaign } from '../helpers/run-campaign.ts'
import { canOffsetClocks } from './campaigns/common/fake-clock.ts'

const isLong = process.env.KITHGRAPH_LONG !== undefined
const FAILOVERS = 100

describe.skipIf(!hasRedisServer('failovers of a Redis Cluster'))(
  'failovers of a Redis Cluster',
  CAMPAIGN_TESTS,
  () => {
    it.runIf(isLong)('lose no acknowledged write with `replicated: 1`', () =>
      runCampaign('redis-failovers', '--replicated', 'yes', ...campaignSize(FAILOVERS)),
    )

    it.runIf(isLong)('leave no half mirror and no wrong count without `replicated: 1`', () =>
      runCampaign('redis-failovers', '--replicated', 'no', ...campaignSize(FAILOVERS)),
    )

    it.runIf(isLong)('leave no half mirror and no wrong count if nodes are also deleted', () =>
      runCampaign(
        'redis-failovers',
        '--replicated',
        'no',
        '--deletions',
        'renewals',
        ...campaignSize(FAILOVERS),
      ),
    )

    it.runIf(isLong && canOffsetClocks())(
      'to masters whose clocks are 5 s behind leave no half mirror and no wrong count',
      () => runCampaign('redis-failovers', '--replicated', 'no', '--skew', '5', ...campaignSize(FAILOVERS)),
    )
  },
)
