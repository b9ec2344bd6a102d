import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNext } from '../../examples/partner-api/start-next.ts'
import { type RunningExample, startExample } from '../helpers/start-example.ts'

const ORIGIN = 'https://crm.example'

type ApiTarget = { readonly url: string; readonly token: string }

describe('the example partner-api in Next', () => {
  let api: RunningExample
  let crm: ApiTarget
  let newsletter: ApiTarget
  beforeAll(async () => {
    api = await startExample('partner-api/main.ts', /Ctrl-C stops\.\n/)
    const lines = [...api.printed.matchAll(/^curl -g '(\S+)' -H 'Authorization: Bearer (\S+)'$/gm)]
    const [first, second] = lines.map(([, url = '', token = '']) => ({ url, token }))
    if (first === undefined || second === undefined) throw new Error(`Printed no two lines:\n${api.printed}`)
    crm = first
    newsletter = second
  })
  afterAll(() => api.stop())

  const requestGraph = async (
    { url, token }: ApiTarget,
    path = '',
    headers: { readonly [name: string]: string } = {},
  ) => {
    const requestUrl = path === '' ? url : new URL(url).origin + path
    const response = await fetch(requestUrl, { headers: { Authorization: `Bearer ${token}`, ...headers } })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

  it('returns a different id of a person to each app, and the email address only with its scope', async () => {
    const [first, second] = [await requestGraph(crm), await requestGraph(newsletter)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body).toMatchObject({ name: 'Ada', email: 'ada@mail.example' })
    expect(first.body.friends.data).toMatchObject([{ name: 'Cyd' }, { name: 'Ben' }])
    expect(second.body).toMatchObject({ name: 'Ada', friends: { data: [{ name: 'Cyd' }, { name: 'Ben' }] } })
    expect(second.body).not.toHaveProperty('email')
    expect([first.body.id, second.body.id]).toEqual([expect.stringMatching(/^\d{20}$/), expect.any(String)])
    expect(second.body.id).not.toBe(first.body.id)
  })

  it('accepts an app-scoped id only from its app', async () => {
    const { body } = await requestGraph(crm)
    const own = await requestGraph(crm, `/graph/${body.id}?fields=name`)
    expect(own.body).toEqual({ name: 'Ada', id: body.id })
    const foreign = await requestGraph(newsletter, `/graph/${body.id}`)
    expect([foreign.status, foreign.body.error.error_data.reason]).toEqual([400, 'node_not_found'])
    expect((await requestGraph(newsletter, '/graph/1')).body.error.message).toBe(
      foreign.body.error.message.replaceAll(body.id, '1'),
    )
  })

  it('allows cross-origin requests from one origin only', async () => {
    const allowed = await requestGraph(crm, '/graph/me', { Origin: ORIGIN })
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    const other = await requestGraph(crm, '/graph/me', { Origin: 'https://other.example' })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    const headers = { Origin: ORIGIN, 'Access-Control-Request-Method': 'GET' }
    expect((await fetch(crm.url, { method: 'OPTIONS', headers })).status).toBe(204)
  })

  it('rejects a token that the issuer did not sign', async () => {
    const forged = await requestGraph({ ...crm, token: crm.token.slice(0, -8).concat('AAAAAAAA') })
    expect([forged.status, forged.body.error.code]).toEqual([400, 190])
  })

  it('limits the rate of one app without an effect on others', async () => {
    const expensivePath = '/graph/me?fields=friends.limit(100)'
    let response = await requestGraph(newsletter, expensivePath)
    for (let attempt = 1; attempt < 6 && response.status === 200; attempt++)
      response = await requestGraph(newsletter, expensivePath)
    expect([response.status, response.body.error.code]).toEqual([403, 4])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await requestGraph(crm)).status).toBe(200)
  })

  it('exits with code 0 when it is stopped', async () => {
    expect(await api.stop()).toMatchObject({ code: 0 })
  })
})

describe('the server example for Next, in Next', () => {
  const root = resolve(import.meta.dirname, '../..')
  let folder: string
  let next: Awaited<ReturnType<typeof startNext>>
  beforeAll(async () => {
    folder = await mkdtemp(join(root, 'test/.documentation-next-'))
    const route = join(folder, 'app/graph/[[...path]]')
    await mkdir(route, { recursive: true })
    await writeFile(join(folder, '.gitignore'), '*\n')
    const up = (from: string): string => relative(from, root)
    const files = {
      [join(route, 'route.ts')]:
        `export { GET, HEAD, OPTIONS, POST } from '${up(route)}/examples/servers/next/route.ts'`,
      [join(folder, 'tsconfig.json')]: `{ "extends": "${up(folder)}/examples/partner-api/tsconfig.json" }`,
      [join(folder, 'next.config.mjs')]: `export default { turbopack: { root: ${JSON.stringify(root)} } }`,
    }
    await Promise.all(Object.entries(files).map(([file, text]) => writeFile(file, text)))
    next = await startNext(folder, '0')
  })
  afterAll(async () => {
    next.stop()
    await next.ended
    await rm(folder, { recursive: true })
  })

  it('returns errors of the graph for reads and for batches at the root without a token', async () => {
    const rejected = await fetch(`${next.origin}/graph/v1.0/me`)
    expect([rejected.status, await rejected.json()]).toMatchObject([400, { error: { code: 104 } }])
    const body = new URLSearchParams({ batch: '[{"relative_url":"me"}]', include_headers: 'false' })
    const batch = await fetch(`${next.origin}/graph`, { method: 'POST', body })
    expect([batch.status, await batch.json()]).toMatchObject([200, [{ code: 400 }]])
  })
})
