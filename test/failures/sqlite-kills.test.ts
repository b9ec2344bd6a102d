import { describe, it } from 'vitest'
import { CAMPAIGN_TESTS, campaignSize, runCampaign } from '../helpers/run-campaign.ts'

describe('processes that are killed while they write to one SQLite file', CAMPAIGN_TESTS, () => {
  it('lose no acknowledged batch, and leave no part of a batch, no wrong count and no half mirror', () =>
    runCampaign('sqlite-kills', ...campaignSize(1000)))
})
