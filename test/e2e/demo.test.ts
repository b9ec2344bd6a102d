import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listening } from '../helpers/listening.ts'
import { type Running, startExample } from '../helpers/running-example.ts'

const READY = /Ctrl-C stops\.\n/

const startDemo = (...input: string[]): Promise<Running> => startExample('demo/main.ts', READY, input)

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

describe('the demo', () => {
  let demo: Running
  beforeAll(async () => {
    demo = await startDemo()
  })
  afterAll(() => demo.stop())

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

  it('ends without a word on Ctrl-C', async () => {
    expect(await demo.stop()).toEqual({ code: 0, errors: '' })
  })
})

describe.concurrent('the demo on a file', () => {
  it('finds its graph where an earlier start left it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kithgraph-'))
    const store = ['--store', `sqlite:${join(folder, 'graph.db')}`]
    const first = await startDemo(...store)
    const [line = ''] = linesOf(first)
    const answer = await answerTo(line)
    await first.stop()
    const second = await startDemo(...store)
    const portOf = ({ printed }: Running): string => /127\.0\.0\.1:(\d+)/.exec(printed)?.[1] ?? ''
    // With the token of the first start, too.
    expect(await answerTo(line.replace(portOf(first), portOf(second)))).toEqual(answer)
    await second.stop()
    await rm(folder, { recursive: true })
  })
})

describe.concurrent('the demo is refused with a message alone', () => {
  it('on a port that is in use', async () => {
    const other = await listening(createServer())
    await expect(startExample('demo/main.ts', READY, [], `${other.port}`)).rejects.toThrow(
      new Error(
        `demo/main.ts failed with 2:\nPort ${other.port} is in use. Another one: PORT=${other.port + 1} npm start\n`,
      ),
    )
    await other.stop()
  })

  it('on a port that is none', async () => {
    await expect(startExample('demo/main.ts', READY, [], 'http')).rejects.toThrow(
      'failed with 2:\nPORT must be a number up to 65535, came "http"\n',
    )
  })

  it('on a store that is none', async () => {
    await expect(startDemo('--store', 'graph.db')).rejects.toThrow(
      /failed with 2:\nExpected the URL of a store, came "graph\.db"/,
    )
  })
})
