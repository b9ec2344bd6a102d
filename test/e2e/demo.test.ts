import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenOn } from '../../examples/demo/listen.ts'
import { listening } from '../helpers/listening.ts'
import { type Running, startExample } from '../helpers/running-example.ts'

const READY = /Ctrl-C stops\.\n/

const originOf = ({ printed }: Running): string => /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? ''

const linesOf = ({ printed }: Running): string[] => printed.match(/^curl .+$/gm) ?? []

type Answer = { readonly status: number; readonly text: string }

/** Runs a line as its reader does; undefined on a machine without curl. */
const curled = (line: string): Promise<Answer | undefined> =>
  new Promise((resolve, reject) => {
    execFile('sh', ['-c', `${line} -s -w '\n%{http_code}'`], (error, stdout) => {
      if (error?.code === 127) return resolve(undefined)
      if (error) return reject(error)
      const end = stdout.lastIndexOf('\n')
      return resolve({ status: Number(stdout.slice(end)), text: stdout.slice(0, end) })
    })
  })

/** Sends what a line says, as far as the lines of the demo go. */
const fetched = async (line: string): Promise<Answer> => {
  const words = [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
  const url = words.find(word => word.startsWith('http')) ?? ''
  const fields = words.flatMap((word, index) =>
    /^(?:-d|--data-urlencode)$/.test(word) ? [words[index + 1] ?? ''] : [],
  )
  const body = new URLSearchParams()
  for (const field of fields) body.set(field.replace(/=.*/s, ''), field.replace(/^.*?=/, ''))
  const response = await fetch(url, fields.length > 0 ? { method: 'POST', body } : {})
  return { status: response.status, text: await response.text() }
}

const answerTo = async (line: string): Promise<{ readonly status: number; readonly body: unknown }> => {
  const { status, text } = (await curled(line)) ?? (await fetched(line))
  return { status, body: JSON.parse(text) }
}

describe('the demo on a file', () => {
  let folder: string
  let demo: Running
  const start = (): Promise<Running> =>
    startExample('demo/main.ts', READY, ['--store', `sqlite:${join(folder, 'graph.db')}`])
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kithgraph-'))
    demo = await start()
  })
  afterAll(async () => {
    await demo.stop()
    await rm(folder, { recursive: true })
  })

  it('prints its base URL, two tokens and five lines', async () => {
    expect(demo.printed).toMatch(/\n {2}http:\/\/127\.0\.0\.1:\d+\/v1\.0\n/)
    const tokens = demo.printed.match(/^ {2}[\w.-]{40,}$/gm) ?? []
    expect(new Set(tokens).size).toBe(2)
    expect(linesOf(demo)).toHaveLength(5)
  })

  it.each([
    [1, 200, { name: 'Marius', age_range: { min: 21 }, picture: { data: { width: 200 } } }],
    [2, 200, { posts: { data: [{ comments: { data: [{ from: { name: 'Courfeyrac' } }, {}] } }, {}] } }],
    [
      3,
      200,
      { data: [{}, {}, {}], paging: { next: expect.stringMatching(/^http/) }, summary: { total_count: 19 } },
    ],
    [4, 200, [null, { code: 200, body: expect.stringContaining('"name":"Cosette"') }]],
    [5, 403, { error: { code: 200, error_data: { reason: 'scope_missing', scope: 'user_friends' } } }],
  ])('its line %i works as printed', async (place, status, body) => {
    expect(await answerTo(linesOf(demo)[place - 1] ?? '')).toMatchObject({ status, body })
  })

  it('describes itself where it says', async () => {
    const [url = ''] = /http:\S+openapi\.json/.exec(demo.printed) ?? []
    expect(await (await fetch(url)).json()).toHaveProperty('openapi')
  })

  it('leads a browser from its root to the Explorer, which has the token', async () => {
    const [, page = ''] = /\n {2}(http:\S+\/explorer\/)\n/.exec(demo.printed) ?? []
    const opened = await fetch(originOf(demo), { headers: { Accept: 'text/html,*/*;q=0.8' } })
    expect([opened.status, opened.url]).toEqual([200, page])
    const [, token = ''] = /"demoToken":"([^"]+)"/.exec(await opened.text()) ?? []
    expect(demo.printed).toContain(`\n  ${token}\n`)
  })

  it('answers its root to all others as a graph does', async () => {
    for (const [path, accept] of [
      ['/', '*/*'],
      ['/?id=me', 'text/html'],
    ]) {
      const answer = await fetch(originOf(demo) + path, { headers: { Accept: accept ?? '' } })
      expect(await answer.json()).toHaveProperty('error')
    }
  })

  it('ends without a word on Ctrl-C, and finds its graph where it left it', async () => {
    const [line = ''] = linesOf(demo)
    const answer = await answerTo(line)
    expect(await demo.stop()).toEqual({ code: 0, errors: '' })
    const origin = originOf(demo)
    demo = await start()
    // With the token of the first start, too.
    expect(await answerTo(line.replace(origin, originOf(demo)))).toEqual(answer)
  })
})

describe('the demo is refused with a message alone', () => {
  it('on a port that is in use', async () => {
    const other = await listening(createServer())
    const message = `Port ${other.port} is in use. Another one: PORT=${other.port + 1} npm start`
    await expect(startExample('demo/main.ts', READY, [], `${other.port}`)).rejects.toThrow(
      new Error(`demo/main.ts failed with 2:\n${message}\n`),
    )
    await other.stop()
  })

  it.each(['http', '-1', '65536', '4e3'])('on a port that is none: %s', async port => {
    const message = `PORT must be a number up to 65535, came "${port}"`
    await expect(listenOn(createServer(), port)).rejects.toThrow(new Error(message))
  })
})
