import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningExample, startExample } from '../helpers/start-example.ts'

const READY = /(http:\S+\d)\. Ctrl-C stops/

/** Returns the names of the photos in a page, in order. */
const namesIn = (page: string): string[] =>
  [...page.matchAll(/<li><a href="[^"]*">(.*?)<\/a>/g)].map(([, name = '']) => name)

describe('the example photo-service', () => {
  let folder: string
  let service: RunningExample
  const start = async (): Promise<void> => {
    service = await startExample('photo-service/main.ts', READY, [join(folder, 'photos.db')])
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kithgraph-'))
    await start()
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  const requestPage = (
    path: string,
    cookie = '',
    form?: { readonly [name: string]: string },
  ): Promise<Response> => {
    const [, origin] = READY.exec(service.printed) ?? []
    const body = form && { method: 'POST', body: new URLSearchParams(form) }
    return fetch(`${origin}${path}`, { headers: { cookie }, redirect: 'manual', ...body })
  }
  const signIn = async (person: string): Promise<string> => {
    const { headers } = await requestPage('/session', '', { person })
    return headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const upload = (cookie: string, name: string, audience: string, link = 'https://pictures.example/1') =>
    requestPage('/photos', cookie, { name, link, audience })
  const readPage = async (cookie: string, path: string) => {
    const response = await requestPage(path, cookie)
    return { status: response.status, text: await response.text() }
  }

  let ada: string
  it('signs a person in with a cookie that scripts cannot read', async () => {
    expect((await readPage('', '/')).text).toContain('<button name="person" value="1">Ada</button>')
    const { status, headers } = await requestPage('/session', '', { person: '1' })
    expect([status, headers.get('location')]).toEqual([303, '/people/me'])
    expect(headers.get('set-cookie')).toMatch(/^token=.+; HttpOnly; SameSite=Strict$/)
    ada = await signIn('1')
  })

  it('shows each photo only to its audience', async () => {
    for (const audience of ['public', 'friends', 'me']) await upload(ada, `For ${audience}`, audience)
    const shown = async (person: string) => namesIn((await readPage(await signIn(person), '/people/1')).text)
    expect(await shown('1')).toEqual(['For me', 'For friends', 'For public'])
    expect(await shown('2')).toEqual(['For friends', 'For public'])
    expect(await shown('3')).toEqual(['For public'])
  })

  it('applies the same rules to its graph API', async () => {
    const token = (await signIn('3')).replace('token=', '')
    const response = await requestPage(
      `/graph/1/photos?fields=name,audience&summary=true&access_token=${token}`,
    )
    expect(await response.json()).toMatchObject({
      data: [{ name: 'For public', audience: 'public' }],
      summary: { total_count: 1 },
    })
  })

  it('escapes the texts of people, and rejects links that are not http or https', async () => {
    await upload(ada, '<script>alert("1")</script>', 'public')
    const { text } = await readPage(ada, '/people/me')
    expect(namesIn(text)[0]).toBe('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
    const { status } = await upload(ada, 'A trap', 'public', 'javascript:alert(1)')
    expect(status).toBe(400)
  })

  it('splits many photos into pages', async () => {
    const ben = await signIn('2')
    for (let number = 1; number <= 12; number++) await upload(ben, `No. ${number}`, 'me')
    const first = await readPage(ben, '/people/me')
    const [, after = ''] = /<a rel="next" href="([^"]+)">/.exec(first.text) ?? []
    const second = await readPage(ben, `/people/me${after}`)
    expect([namesIn(first.text).length, namesIn(second.text)]).toEqual([10, ['No. 2', 'No. 1']])
    expect(second.text).not.toContain('rel="next"')
  })

  it('redirects visitors without a session, and returns 404 for unknown people', async () => {
    for (const cookie of ['', 'token=made-up']) {
      const { status, headers } = await requestPage('/people/me', cookie)
      expect([status, headers.get('location')]).toEqual([303, '/'])
    }
    expect((await requestPage('/session', '', { person: '9' })).headers.get('set-cookie')).toBeNull()
    expect(await readPage(ada, '/people/99')).toMatchObject({ status: 404 })
    expect((await requestPage('/photos', '', { name: 'x' })).status).toBe(303)
  })

  it('keeps photos and sessions after a restart', async () => {
    const { text } = await readPage(ada, '/people/me')
    expect(await service.stop()).toEqual({ code: 0, errors: '' })
    await start()
    expect((await readPage(ada, '/people/me')).text).toBe(text)
  })
})
