import { defineSchema, field, node } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { ADA } from '../helpers/world.ts'
import { jsonOf, serveWorld } from './served-world.ts'

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

const served = async (version?: string) => {
  const { ask } = await serveWorld({ graph: { schema, ...(version !== undefined && { version }) } })
  return async (path: string) => {
    const reply = await ask(path)
    return { version: reply.headers.get('facebook-api-version'), answer: jsonOf(reply) }
  }
}

describe('a version in the path', () => {
  it('is served by the newest declared one that is not newer', async () => {
    const get = await served()
    for (const [asked, answering] of [
      ['v1.0', 'v1.0'],
      ['v2.0', 'v1.0'],
      ['v2.3', 'v2.3'],
      ['v2.9', 'v2.3'],
      ['v2.12', 'v2.12'],
      ['v99.0', 'v2.12'],
      ['v0.1', 'v1.0'],
    ] as const) {
      expect(await get(`/${asked}/me?fields=id`)).toEqual({ version: answering, answer: { id: ADA } })
    }
  })

  it('that is left out is the graph’s own, or the newest', async () => {
    expect((await (await served())('/me')).version).toBe('v2.12')
    expect((await (await served('v2.3'))('/me')).version).toBe('v2.3')
  })

  it('decides what fields there are', async () => {
    const get = await served()
    expect((await get('/v1.0/me?fields=first_name')).answer).toEqual({ first_name: 'Ada', id: ADA })
    expect((await get('/v2.3/me?fields=last_name')).answer).toEqual({ last_name: 'Lovelace', id: ADA })
    expect((await get('/v2.3/me?fields=first_name')).answer.error).toMatchObject({
      code: 12,
      error_data: { reason: 'not_in_version' },
    })
  })

  it('is told of faults, too', async () => {
    const get = await served()
    expect((await get('/v2.4/999')).version).toBe('v2.3')
    expect((await get('/v2.4/me/a/b/c')).version).toMatch(/^v/)
  })

  it('that is none is taken for an id', async () => {
    const get = await served()
    for (const path of ['/v1/me', '/v1.0.0', '/v01.0', '/2.0', '/v9999999.0', '/V1.0'])
      expect((await get(path)).answer.error.error_data.reason).toMatch(/bad_parameter|unknown_field/)
  })
})
