import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMENTS, EVENTS } from '../../examples/events/ids.ts'
import { runExample } from '../helpers/run-example.ts'
import { type RunningExample, startExample } from '../helpers/start-example.ts'

const READY = /Ctrl-C stops\.\n/
/** The URL of the service in the README. */
const DOCUMENTED_URL = 'http://127.0.0.1:4000'

const urlOf = ({ printed }: RunningExample): string => /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? ''

/** Runs a command in a shell, as a reader does, and returns its output. */
const runShell = (command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile('sh', ['-c', command], (error, stdout) => (error ? reject(error) : resolve(stdout)))
  })

/** Replaces cursors, links and random ids, as the README does. */
const parseShortened = (text: string): unknown =>
  JSON.parse(text, (name, value) =>
    typeof value === 'string' && /^(?:before|after|next|previous|fbtrace_id)$/.test(name) ? '…' : value,
  )

const readme = await readFile(new URL('../../examples/events/README.md', import.meta.url), 'utf8')
const documented = [...readme.matchAll(/```sh\n([^`]*curl[^`]*)\n```\n\n```json\n([^`]*)\n```/g)].map(
  ([, command = '', output = '']) => ({
    path: command.replace(/^.*?127\.0\.0\.1:4000|'.*$/gs, ''),
    command,
    output,
  }),
)

describe('the README of the example events', () => {
  let service: RunningExample
  beforeAll(async () => {
    service = await startExample('events/main.ts', READY)
  })
  afterAll(() => service.stop())

  it('contains a result for each of its curl commands', () => {
    expect(documented).toHaveLength(readme.match(/```sh\n[^`]*curl/g)?.length ?? 0)
    expect(documented.length).toBeGreaterThan(10)
  })

  it.each(documented)('contains the result of its request of $path', async ({ command, output }) => {
    const printed = await runShell(command.replaceAll(DOCUMENTED_URL, urlOf(service)))
    expect(parseShortened(printed)).toEqual(JSON.parse(output))
  })
})

describe('the tool for administrators of the example events', () => {
  it('prints what the README says: what visitors do not see, after an event for the audit', async () => {
    const [, output] = /events\/admin\.ts\n```\n\n```\n([^`]*)```/.exec(readme) ?? []
    expect(await runExample('events/admin.ts')).toBe(output)
  })
})

describe('the program of the example events', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kithgraph-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('prints three curl commands that work', async () => {
    const service = await startExample('events/main.ts', READY)
    const commands = service.printed.match(/^curl .+$/gm) ?? []
    const results = (await Promise.all(commands.map(runShell))).map(text => JSON.parse(text))
    expect(results).toMatchObject([
      { data: [{ venue: { name: 'The Old Mill' } }, {}, {}] },
      { data: [{ state: 'going' }, { state: 'going' }], summary: { total_count: 2 } },
      { title: 'Repair café', viewer_reply: 'going' },
    ])
    expect(await service.stop()).toEqual({ code: 0, errors: '' })
  })

  it('keeps replies, votes and similar events in the file of its argument after a restart', async () => {
    const start = () => startExample('events/main.ts', READY, [`sqlite:${join(folder, 'events.db')}`])
    const { repair } = EVENTS
    const fields =
      `fields=attendees.state(no).summary(true){name,state},` +
      `comments.order(top){score,created_time},similar{title}`
    const headers = { authorization: 'Bearer token-of-ben' }
    const readEvent = async (service: RunningExample) =>
      parseShortened(await (await fetch(`${urlOf(service)}/graph/${repair}?${fields}`, { headers })).text())

    const first = await start()
    const reply = { method: 'POST', headers, body: new URLSearchParams({ state: 'no' }) }
    await fetch(`${urlOf(first)}/graph/${repair}/attendees`, reply)
    await fetch(`${urlOf(first)}/graph/${COMMENTS.kettle}/votes`, { method: 'POST', headers })
    const event = await readEvent(first)
    expect(await first.stop()).toEqual({ code: 0, errors: '' })

    const second = await start()
    expect(await readEvent(second)).toEqual(event)
    expect(event).toMatchObject({
      attendees: { data: [{ name: 'Ben Marrow' }, { name: 'Esme Holt' }], summary: { total_count: 2 } },
      comments: { data: [{ score: 3 }, { score: 2 }, { score: 1 }, { score: 1, id: COMMENTS.kettle }] },
      similar: { data: [{ title: 'Lantern building' }, {}, {}] },
    })
    expect(await second.stop()).toEqual({ code: 0, errors: '' })
  })
})
