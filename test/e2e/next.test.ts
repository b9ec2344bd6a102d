import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNext } from '../../examples/partner-api/start-next.ts'
import { type Running, startExample } from '../helpers/running-example.ts'

const ORIGIN = 'https://crm.example'

type Asked = { readonly url: string; readonly token: string }

describe('the partner API, in Next', () => {
  let api: Running
  let crm: Asked
  let newsletter: Asked
  beforeAll(async () => {
    api = await startExample('partner-api/main.ts', /Ctrl-C stops\.\n/)
    const lines = [...api.printed.matchAll(/^curl -g '(\S+)' -H 'Authorization: Bearer (\S+)'$/gm)]
    const [first, second] = lines.map(([, url = '', token = '']) => ({ url, token }))
    if (first === undefined || second === undefined) throw new Error(`Printed no two lines:\n${api.printed}`)
    crm = first
    newsletter = second
  })
  afterAll(() => api.stop())

  const ask = async ({ url, token }: Asked, path = '', headers: { readonly [name: string]: string } = {}) => {
    const asked = path === '' ? url : new URL(url).origin + path
    const response = await fetch(asked, { headers: { Authorization: `Bearer ${token}`, ...headers } })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

  it('tells the same person under another id to each app, and the address to the one that may know it', async () => {
    const [first, second] = [await ask(crm), await ask(newsletter)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body).toMatchObject({ name: 'Ada', email: 'ada@mail.example' })
    expect(first.body.friends.data).toMatchObject([{ name: 'Cyd' }, { name: 'Ben' }])
    expect(second.body).toMatchObject({ name: 'Ada', friends: { data: [{ name: 'Cyd' }, { name: 'Ben' }] } })
    expect(second.body).not.toHaveProperty('email')
    expect([first.body.id, second.body.id]).toEqual([expect.stringMatching(/^\d{20}$/), expect.any(String)])
    expect(second.body.id).not.toBe(first.body.id)
  })

  it('takes an id from the app alone that it was given to', async () => {
    const { body } = await ask(crm)
    const own = await ask(crm, `/graph/${body.id}?fields=name`)
    expect(own.body).toEqual({ name: 'Ada', id: body.id })
    const foreign = await ask(newsletter, `/graph/${body.id}`)
    expect([foreign.status, foreign.body.error.error_data.reason]).toEqual([400, 'node_missing'])
    expect((await ask(newsletter, '/graph/1')).body.error.message).toBe(
      foreign.body.error.message.replaceAll(body.id, '1'),
    )
  })

  it('is read by scripts of the one origin that may', async () => {
    const allowed = await ask(crm, '/graph/me', { Origin: ORIGIN })
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    const other = await ask(crm, '/graph/me', { Origin: 'https://other.example' })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    const headers = { Origin: ORIGIN, 'Access-Control-Request-Method': 'GET' }
    expect((await fetch(crm.url, { method: 'OPTIONS', headers })).status).toBe(204)
  })

  it('refuses a token that the issuer did not sign', async () => {
    const forged = await ask({ ...crm, token: crm.token.slice(0, -8).concat('AAAAAAAA') })
    expect([forged.status, forged.body.error.code]).toEqual([400, 190])
  })

  it('stops an app that asked for too much, and no other', async () => {
    const costly = '/graph/me?fields=friends.limit(100)'
    let answer = await ask(newsletter, costly)
    for (let asked = 1; asked < 6 && answer.status === 200; asked++) answer = await ask(newsletter, costly)
    expect([answer.status, answer.body.error.code]).toEqual([403, 4])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask(crm)).status).toBe(200)
  })

  it('ends with its Next and its issuer', async () => {
    expect(await api.stop()).toMatchObject({ code: 0 })
  })
})

describe('the route handler among the servers, in Next', () => {
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

  it('answers reads and batches, also at the root', async () => {
    const refused = await fetch(`${next.origin}/graph/v1.0/me`)
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 104 } }])
    const body = new URLSearchParams({ batch: '[{"relative_url":"me"}]', include_headers: 'false' })
    const batch = await fetch(`${next.origin}/graph`, { method: 'POST', body })
    expect([batch.status, await batch.json()]).toMatchObject([200, [{ code: 400 }]])
  })
})
