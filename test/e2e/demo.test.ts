import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestOptions, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../examples/demo/command-line.ts'
import { listenOn } from '../../examples/demo/listen.ts'
import { runExample } from '../helpers/run-example.ts'
import { type RunningExample, startExample } from '../helpers/start-example.ts'
import { startServer } from '../helpers/start-server.ts'

const READY = /Ctrl-C stops the server\.\n/

const parseOrigin = ({ printed }: RunningExample): string =>
  /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? ''

const parseLines = ({ printed }: RunningExample): string[] => printed.match(/^curl .+$/gm) ?? []

type ShellResponse = { readonly status: number; readonly text: string }

/** Runs a command in a shell, as a reader does. Returns `undefined` on a machine without curl. */
const runCurl = (line: string): Promise<ShellResponse | undefined> =>
  new Promise((resolve, reject) => {
    execFile('sh', ['-c', `${line} -s -w '\n%{http_code}'`], (error, stdout) => {
      if (error?.code === 127) return resolve(undefined)
      if (error) return reject(error)
      const end = stdout.lastIndexOf('\n')
      return resolve({ status: Number(stdout.slice(end)), text: stdout.slice(0, end) })
    })
  })

/** Sends the request of a curl command without curl. Supports only the options that the demo prints. */
const runFetch = async (line: string): Promise<ShellResponse> => {
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

const runLine = async (line: string): Promise<{ readonly status: number; readonly body: unknown }> => {
  const { status, text } = (await runCurl(line)) ?? (await runFetch(line))
  return { status, body: JSON.parse(text) }
}

describe('the demo with a file as its store', () => {
  let folder: string
  let demo: RunningExample
  const start = (): Promise<RunningExample> =>
    startExample('demo/main.ts', READY, ['--store', `sqlite:${join(folder, 'graph.db')}`])
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kithgraph-'))
    demo = await start()
  })
  afterAll(async () => {
    await demo.stop()
    await rm(folder, { recursive: true })
  })

  it('prints its base URL, two tokens and five curl commands', async () => {
    expect(demo.printed).toMatch(/^Graph API: http:\/\/127\.0\.0\.1:\d+\/v1\.0$/m)
    const tokens = demo.printed.match(/^ {2}[\w.-]{40,}$/gm) ?? []
    expect(new Set(tokens).size).toBe(2)
    expect(parseLines(demo)).toHaveLength(5)
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
  ])('prints curl command %i, which has the expected response', async (position, status, body) => {
    expect(await runLine(parseLines(demo)[position - 1] ?? '')).toMatchObject({ status, body })
  })

  it('serves the OpenAPI document at the printed URL', async () => {
    const [url = ''] = /http:\S+openapi\.json/.exec(demo.printed) ?? []
    expect(await (await fetch(url)).json()).toHaveProperty('openapi')
  })

  it('redirects a browser from its root to the Explorer, which has the token', async () => {
    const [, page = ''] = /^Explorer: +(http:\S+\/explorer\/)$/m.exec(demo.printed) ?? []
    const opened = await fetch(parseOrigin(demo), { headers: { Accept: 'text/html,*/*;q=0.8' } })
    expect([opened.status, opened.url]).toEqual([200, page])
    const [, token = ''] = /"demoToken":"([^"]+)"/.exec(await opened.text()) ?? []
    expect(demo.printed).toContain(`\n  ${token}\n`)
  })

  it('responds to other requests at its root with JSON of the graph', async () => {
    for (const [path, accept] of [
      ['/', '*/*'],
      ['/?id=me', 'text/html'],
    ]) {
      const response = await fetch(parseOrigin(demo) + path, { headers: { Accept: accept ?? '' } })
      expect(await response.json()).toHaveProperty('error')
    }
  })

  it('stops without output on Ctrl-C, and has the same graph at the next start', async () => {
    const [line = ''] = parseLines(demo)
    const response = await runLine(line)
    expect(await demo.stop()).toEqual({ code: 0, errors: '' })
    const origin = parseOrigin(demo)
    demo = await start()
    // The token of the first start is still valid.
    expect(await runLine(line.replace(origin, parseOrigin(demo)))).toEqual(response)
  })
})

/** Sends a request with any header `Host`, which `fetch` does not allow. Returns the status and the body. */
const sendTo = (
  origin: string,
  host: string,
  { path = '/v1.0/me', ...options }: RequestOptions = {},
): Promise<{ readonly status: number | undefined; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const headers = { ...options.headers, host }
    const sent = request(`${origin}${path}`, { ...options, headers }, async response => {
      resolve({ status: response.statusCode, text: await readText(response) })
    })
    sent.on('error', reject).end()
  })

describe('the demo with --actions', () => {
  let demo: RunningExample
  beforeAll(async () => {
    demo = await startExample('demo/main.ts', READY, ['--actions'])
  })
  afterAll(() => demo.stop())

  it('says that actions write to memory, and prints requests that write', async () => {
    expect(demo.printed).toContain('The first token may run actions')
    expect(demo.printed).toContain('is only in memory')
    const [publish = '', like = ''] = parseLines(demo).slice(5)
    expect(await runLine(publish)).toMatchObject({
      status: 200,
      body: { message: 'To the barricade', from: { name: 'Marius' } },
    })
    expect(await runLine(like)).toEqual({ status: 200, body: { success: true } })
  })

  it('lets only the first token write', async () => {
    const tokens = demo.printed.match(/^ {2}[\w.-]{40,}$/gm) ?? []
    const statuses = tokens.map(async token => {
      const headers = { authorization: `Bearer ${token.trim()}` }
      const response = await fetch(`${parseOrigin(demo)}/v1.0/4001/likes`, { method: 'POST', headers })
      return response.status
    })
    expect(await Promise.all(statuses)).toEqual([200, 403])
  })

  it('rejects requests for another host than this machine', async () => {
    const origin = parseOrigin(demo)
    const { port } = new URL(origin)
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])
      expect((await sendTo(origin, `${host}:${port}`, { path: '/explorer/' })).status, host).toBe(200)
    for (const host of ['rebound.example', `rebound.example:${port}`, 'localhost', 'localhost:1'])
      for (const path of ['/explorer/', '/v1.0/me', '/openapi.json'])
        expect(await sendTo(origin, host, { path }), host).toEqual({ status: 403, text: 'Forbidden\n' })
  })
})

describe('an unusable port of the demo', () => {
  it('is reported without a stack trace if it is in use', async () => {
    const other = await startServer(createServer())
    const message = `Port ${other.port} is in use. Another one: PORT=${other.port + 1} npm start`
    await expect(startExample('demo/main.ts', READY, [], `${other.port}`)).rejects.toThrow(
      new Error(`demo/main.ts failed with 2:\n${message}\n`),
    )
    await other.stop()
  })

  it.each(['http', '-1', '65536', '4e3'])(
    'is named in the message if it is not a port number: %s',
    async port => {
      const message = `PORT must be a number up to 65535; received "${port}"`
      await expect(listenOn(createServer(), port)).rejects.toThrow(new Error(message))
    },
  )
})

describe('the command line of the demo', () => {
  const command = { name: 'npm start', description: 'Serves a graph.' }

  it('keeps the graph in memory unless --store names another store', () => {
    expect(parseCommandLine(command, [])).toEqual({ store: 'memory:', help: false })
    expect(parseCommandLine(command, ['--store', 'sqlite:a.db'])).toEqual({
      store: 'sqlite:a.db',
      help: false,
    })
  })

  it.each(['demo/main.ts', 'demo/tour.ts'])('prints help and exits on --help and -h: %s', async example => {
    const printed = await runExample(example, '--help')
    expect(printed).toMatch(/^Usage: npm (?:start|run tour) -- \[options\]$/m)
    expect(printed).toContain('--store URL')
    expect(printed).toContain('redis://host:6379')
    expect(await runExample(example, '-h')).toBe(printed)
  })

  it.each([
    [['graph.db'], 'Expected the option --store URL or --help; received "graph.db".'],
    [['--stor', 'memory:'], 'Expected the option --store URL or --help; received "--stor".'],
    [['--stor=memory:'], 'Expected the option --store URL or --help; received "--stor".'],
    [['-x'], 'Expected the option --store URL or --help; received "-x".'],
    [['--store'], 'Expected a URL after --store; received nothing.'],
  ])('rejects wrong arguments with a message of one line: %j', (args, message) => {
    expect(() => parseCommandLine(command, args)).toThrow(new Error(`${message} Help: npm start -- --help`))
  })

  it('runs actions only with the graph in memory', () => {
    const server = { ...command, isServer: true }
    expect(parseCommandLine(server, ['--actions'])).toEqual({ store: 'memory:', help: false, actions: true })
    for (const [args, received] of [
      [['--actions', '--store', 'sqlite:a.db'], '--store and --actions'],
      [['--actions', '--tables'], '--tables and --actions'],
    ] as const)
      expect(() => parseCommandLine(server, args)).toThrow(
        `Expected one of the options --store, --tables and --actions; received ${received}.`,
      )
    expect(() => parseCommandLine(command, ['--actions'])).toThrow('received "--actions"')
  })

  it.each([
    ['demo/main.ts', 'npm start', '--store URL, --tables [URL], --actions'],
    ['demo/tour.ts', 'npm run tour', '--store URL'],
  ])(
    'exits with the status 2 and only the message after a wrong argument: %s',
    async (example, name, options) => {
      const message = `Expected the option ${options} or --help; received "--port".`
      await expect(runExample(example, '--port=1')).rejects.toThrow(
        new Error(`${example} failed with 2:\n${message} Help: ${name} -- --help\n`),
      )
    },
  )
})
