import { defineSchema, field, node } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { ADA } from '../helpers/world.ts'
import { parseJson, serveWorld } from './served-world.ts'

const schema = defineSchema(
  {
    user: node({
      fields: {
        name: field.string({ default: true }),
        first_name: field.string({ removedIn: 'v2.3' }),
        last_name: field.string({ since: 'v2.3' }),
      },
    }),
  },
  { versions: ['v1.0', 'v2.3', 'v2.12'] },
)

const serveVersions = async (version?: string) => {
  const { sendAsAda } = await serveWorld({ graph: { schema, ...(version !== undefined && { version }) } })
  return async (path: string) => {
    const reply = await sendAsAda(path)
    return { version: reply.headers.get('facebook-api-version'), body: parseJson(reply) }
  }
}

describe('a version in the path', () => {
  it('is served by the newest declared version that is not newer, or by the oldest one', async () => {
    const get = await serveVersions()
    for (const [requestedVersion, servedVersion] of [
      ['v1.0', 'v1.0'],
      ['v2.0', 'v1.0'],
      ['v2.3', 'v2.3'],
      ['v2.9', 'v2.3'],
      ['v2.12', 'v2.12'],
      ['v99.0', 'v2.12'],
      ['v0.1', 'v1.0'],
    ] as const) {
      expect(await get(`/${requestedVersion}/me?fields=id`)).toEqual({
        version: servedVersion,
        body: { id: ADA },
      })
    }
  })

  it('defaults to the version of the graph or to the newest one', async () => {
    expect((await (await serveVersions())('/me')).version).toBe('v2.12')
    expect((await (await serveVersions('v2.3'))('/me')).version).toBe('v2.3')
  })

  it('decides which fields exist', async () => {
    const get = await serveVersions()
    expect((await get('/v1.0/me?fields=first_name')).body).toEqual({ first_name: 'Ada', id: ADA })
    expect((await get('/v2.3/me?fields=last_name')).body).toEqual({ last_name: 'Lovelace', id: ADA })
    expect((await get('/v2.3/me?fields=first_name')).body.error).toMatchObject({
      code: 12,
      error_data: { reason: 'field_not_in_version' },
    })
  })

  it('is also in the headers of errors', async () => {
    const get = await serveVersions()
    expect((await get('/v2.4/999')).version).toBe('v2.3')
    expect((await get('/v2.4/me/a/b/c')).version).toMatch(/^v/)
  })

  it('is read as an id if it is not a valid version', async () => {
    const get = await serveVersions()
    for (const path of ['/v1/me', '/v1.0.0', '/v01.0', '/2.0', '/v9999999.0', '/V1.0'])
      expect((await get(path)).body.error.error_data.reason).toMatch(/invalid_parameter|field_not_found/)
  })
})
