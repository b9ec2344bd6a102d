import { describe, expect, it } from 'vitest'
import { computeProof } from '../../src/access/proof.ts'
import { GRACE, NEWEST_PHOTO } from '../helpers/world.ts'
import { parseBatchResponse } from './batch-requests.ts'
import { createFormRequest, ORIGIN, parseJson, serveWorld } from './served-world.ts'

const { graph, send, token } = await serveWorld()

describe('a link in a batch response', () => {
  const photos = 'me/photos?limit=1&fields=id'
  const proof = computeProof(token, 'the secret of demo')
  const credentials = { access_token: token, appsecret_proof: proof }

  /** Sends a batch of one request, and returns the link to its next page. */
  const readNextLink = async (relative_url: string, query: object, init: RequestInit): Promise<string> => {
    const whole = new URLSearchParams({ batch: JSON.stringify([{ relative_url }]), ...query })
    const [item] = parseBatchResponse(await send(`/?${whole}`, { method: 'POST', ...init }))
    return item?.body.paging.next
  }

  it('has the credentials of the batch query, like a link of a single request', async () => {
    for (const query of [{ access_token: token }, credentials]) {
      const next = await readNextLink(photos, query, {})
      expect(next).toBe(
        parseJson(await send(`/me/photos?${new URLSearchParams(query)}&limit=1&fields=id`)).paging.next,
      )
      expect((await send(next.slice(ORIGIN.length))).status).toBe(200)
    }
  })

  it('has no credentials that were sent in a body or a header', async () => {
    const { href } = new URL(await readNextLink(photos, {}, createFormRequest(credentials)))
    expect(href).not.toMatch(/access_token|appsecret_proof/)
    expect(await readNextLink(photos, {}, { headers: { authorization: `Bearer ${token}` } })).toBe(href)
  })

  it('has only the token from the URL of its own request', async () => {
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    const likes = `${NEWEST_PHOTO}/likes?limit=1&fields=id`
    const next = new URL(await readNextLink(`${likes}&access_token=${grace}`, credentials, {}))
    expect(next.searchParams.get('access_token')).toBe(grace)
    expect(next.searchParams.has('appsecret_proof')).toBe(false)
    const body = `method=get&access_token=${grace}`
    const batch = JSON.stringify([{ method: 'POST', relative_url: likes, body }])
    const [item] = parseBatchResponse(
      await send(`/?${new URLSearchParams(credentials)}`, createFormRequest({ batch })),
    )
    expect(item?.body.paging.next).not.toMatch(/access_token|appsecret_proof/)
  })
})
