import { describe, it } from 'vitest'
import { CAMPAIGN_TESTS, campaignSize, runCampaign } from '../helpers/run-campaign.ts'

describe('writers to Postgres whose connections break', CAMPAIGN_TESTS, () => {
  it('lose no acknowledged batch, and write no batch whose error says that nothing was written', () =>
    runCampaign('postgres-cuts', ...campaignSize(300)))
})
