import { describe, expect, it } from 'vitest'
import { proofOf } from '../../src/access/proof.ts'
import { GRACE, NEWEST_PHOTO } from '../helpers/world.ts'
import { itemsOf } from './batches.ts'
import { form, jsonOf, ORIGIN, serveWorld } from './served-world.ts'

const { graph, send, token } = await serveWorld()

describe('links in the answers of a batch', () => {
  const photos = 'me/photos?limit=1&fields=id'
  const proof = proofOf(token, 'the secret of demo')
  const credentials = { access_token: token, appsecret_proof: proof }

  /** What the link to the next page is, of one request in a batch that is sent so. */
  const nextOf = async (relative_url: string, query: object, init: RequestInit): Promise<string> => {
    const whole = new URLSearchParams({ batch: JSON.stringify([{ relative_url }]), ...query })
    const [item] = itemsOf(await send(`/?${whole}`, { method: 'POST', ...init }))
    return item?.body.paging.next
  }

  it('carry what the query of the batch did, as those of a single request', async () => {
    for (const query of [{ access_token: token }, credentials]) {
      const next = await nextOf(photos, query, {})
      expect(next).toBe(
        jsonOf(await send(`/me/photos?${new URLSearchParams(query)}&limit=1&fields=id`)).paging.next,
      )
      expect((await send(next.slice(ORIGIN.length))).status).toBe(200)
    }
  })

  it('carry nothing that came in a body or a header', async () => {
    const { href } = new URL(await nextOf(photos, {}, form(credentials)))
    expect(href).not.toMatch(/access_token|appsecret_proof/)
    expect(await nextOf(photos, {}, { headers: { authorization: `Bearer ${token}` } })).toBe(href)
  })

  it('carry a token of the request itself, and no other', async () => {
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    const likes = `${NEWEST_PHOTO}/likes?limit=1&fields=id`
    const next = new URL(await nextOf(`${likes}&access_token=${grace}`, credentials, {}))
    expect(next.searchParams.get('access_token')).toBe(grace)
    expect(next.searchParams.has('appsecret_proof')).toBe(false)
    const body = `method=get&access_token=${grace}`
    const batch = JSON.stringify([{ method: 'POST', relative_url: likes, body }])
    const [item] = itemsOf(await send(`/?${new URLSearchParams(credentials)}`, form({ batch })))
    expect(item?.body.paging.next).not.toMatch(/access_token|appsecret_proof/)
  })
})
