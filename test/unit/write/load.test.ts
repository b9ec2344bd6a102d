import { describe, expect, it } from 'vitest'
import type { GraphError } from '../../../src/base/errors.ts'
import type { LoadCounts } from '../../../src/write/load.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { createWrittenGraph } from './written-graph.ts'

const LINES = [
  '{"node":{"id":"1","type":"user","fields":{"name":"Ada 😀"}}}',
  '{"node":{"id":"2","type":"user","fields":{"name":"Grace","birthday":"1906-12-09"}}}',
  '{"edge":{"source":"1","name":"friends","target":"2","time":"2012-10-01T00:00:00Z"}}',
]
const TEXT = LINES.join('\n')
const COUNTS = { nodes: 2, edges: 1, skipped: 0 }

const grace = { name: 'Grace', birthday: { date: '1906-12-09', show: 'full' } }
const time = Date.UTC(2012, 9, 1)
const RECORDS = [
  { node: { id: '1', type: 'user', fields: { name: 'Ada 😀' } } },
  { node: { id: '2', type: 'user', fields: grace } },
  { edge: { source: '1', name: 'friends', target: '2', time } },
  { edge: { source: '2', name: 'friends', target: '1', time } },
]

const user = (id: number, name: unknown = 'Ada') => ({
  node: { id: `${id}`, type: 'user', fields: { name } },
})

const bytes = new TextEncoder().encode(TEXT)

async function* generateAsync<T>(...chunks: readonly T[]): AsyncGenerator<T> {
  yield* chunks
}

describe('the source of a load', () => {
  it.each([
    ['a text', TEXT],
    ['the bytes of a text', bytes],
    ['chunks of text', [TEXT.slice(0, 70), TEXT.slice(70, 75), TEXT.slice(75)]],
    ['chunks of bytes', [bytes.slice(0, 70), bytes.slice(70)]],
    ['a Node buffer', [Buffer.from(TEXT)]],
    ['chunks that arrive asynchronously', generateAsync(TEXT.slice(0, 70), TEXT.slice(70))],
    ['a Web stream', new Blob([TEXT]).stream()],
    ['records', LINES.map(line => JSON.parse(line))],
    ['records that arrive asynchronously', generateAsync(...LINES.map(line => JSON.parse(line)))],
    ['any iterable, such as a set', new Set(LINES.map(line => `${line}\n`))],
    ['Windows line breaks, blank lines and a final line break', `${LINES.join('\r\n\r\n  \n')}\r\n`],
    ['a byte order mark', `\ufeff${TEXT}`],
    ['the bytes of a byte order mark', new TextEncoder().encode(`\ufeff${TEXT}`)],
  ])('may be or contain %s', async (_, source) => {
    const { load, records } = createWrittenGraph()
    expect(await load(source)).toEqual(COUNTS)
    expect(records()).toEqual(RECORDS)
  })

  it('may be empty', async () => {
    const { load } = createWrittenGraph()
    expect(await load([])).toEqual({ nodes: 0, edges: 0, skipped: 0 })
    expect(await load('\n')).toEqual({ nodes: 0, edges: 0, skipped: 0 })
  })

  it('may be one buffer that is reused for each chunk', async () => {
    const { load, records } = createWrittenGraph()
    const buffer = new Uint8Array(7)
    const source = function* () {
      for (let start = 0; start < bytes.length; start += buffer.length) {
        buffer.set(bytes.subarray(start, start + buffer.length))
        yield buffer.subarray(0, bytes.length - start)
      }
    }
    await load(source())
    expect(records()).toEqual(RECORDS)
  })
})

describe('a load of existing data', () => {
  it('does not change the store', async () => {
    const { load, records } = createWrittenGraph()
    await load(TEXT)
    expect(await load(TEXT)).toEqual(COUNTS)
    expect(records()).toEqual(RECORDS)
  })
})

describe('the batches of a load', () => {
  it('are written one after the other, each reported to onProgress', async () => {
    const { load } = createWrittenGraph()
    const progress: LoadCounts[] = []
    const counts = await load(
      Array.from({ length: 5 }, (_, index) => user(index + 1)),
      { batch: 2, onProgress: counts => progress.push(counts) },
    )
    expect(progress.map(({ nodes }) => nodes)).toEqual([2, 4, 5])
    expect(counts).toEqual({ nodes: 5, edges: 0, skipped: 0 })
  })

  it('stay written if a later one fails, which writes nothing', async () => {
    const { load, records } = createWrittenGraph()
    await expectGraphError(load([user(1), user(2), user(3), user(4, 7)], { batch: 2 }))
    expect(records()).toEqual([user(1), user(2)])
  })

  it('stop after the signal is aborted, which also closes the source', async () => {
    const { load, records } = createWrittenGraph()
    const controller = new AbortController()
    let ended = false
    const endless = async function* () {
      try {
        for (let id = 1; ; id++) yield user(id)
      } finally {
        ended = true
      }
    }
    const options = { batch: 2, signal: controller.signal, onProgress: () => controller.abort() }
    const error = await expectGraphError(load(endless(), options))
    expect(error.reason).toBe('aborted')
    expect(records()).toEqual([user(1), user(2)])
    expect(ended).toBe(true)
  })

  it('let other work of the process run, which can abort an endless synchronous source', async () => {
    const { load } = createWrittenGraph()
    const endless = function* () {
      for (let id = 1; ; id++) yield user(id)
    }
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    const error = await expectGraphError(load(endless(), { signal: controller.signal }))
    expect(error.reason).toBe('aborted')
  })

  it('stop with the error that the source throws', async () => {
    const { load } = createWrittenGraph()
    const broken = async function* () {
      yield user(1)
      throw new Error('the disk is gone')
    }
    await expect(load(broken())).rejects.toThrow('the disk is gone')
  })
})

describe('an invalid record of a load', () => {
  const insertLine = (line: string) => `${LINES[0]}\n\n${line}\n${LINES[1]}`

  it.each([
    ['{"node":', { path: '', expected: 'valid JSON', received: '"{\\"node\\":"' }],
    ['[]', { path: '', expected: 'an object with node, edge', received: 'an array of length 0' }],
    ['{}', { path: '', expected: 'an object with either "node" or "edge"', received: 'an empty object' }],
    ['{"node":{},"edge":{}}', { path: '', expected: 'an object with either "node" or "edge"' }],
    ['{"nodes":[]}', { path: 'nodes', expected: 'a member, such as node', received: '"nodes"' }],
    ['{"node":{"id":"9","type":"user","fields":{"name":7}}}', { path: 'node.fields.name', received: '7' }],
    [
      '{"edge":{"source":"1","name":"friends","target":"1"}}',
      {
        path: 'edge.time',
        expected: 'integer milliseconds, a Date or an ISO 8601 date',
        received: 'undefined',
      },
    ],
    [
      '{"edge":{"source":"1","name":"friends","target":"2","time":1}}',
      { path: 'edge.target', expected: 'the id of an existing node', received: '"2"' },
    ],
  ])('is named by its line: %s', async (line, issue) => {
    const { load, records } = createWrittenGraph()
    const error = await expectGraphError(load(insertLine(line)))
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_mutation', line: 3, ...issue })
    expect(error.message).toMatch(/^\(#100\) Line 3.* must be .*; received /)
    expect(records()).toEqual([])
  })

  it('is named by its position if records are objects', async () => {
    const { load } = createWrittenGraph()
    const error = await expectGraphError(load([user(1), user(2, null)]))
    expect(error.data).toMatchObject({ line: 2, path: 'node.fields.name' })
    expect(error.message).toMatch(/^\(#100\) Item 2: "node\.fields\.name" must be /)
  })

  it('is named only if it is the first of its batch', async () => {
    const { load } = createWrittenGraph()
    const error = await expectGraphError(load('{"node":{"id":"1","type":"usr","fields":{}}}\n{"node":'))
    expect(error.data).toMatchObject({ line: 1, path: 'node.type' })
  })
})

describe('onError of a load', () => {
  it('can skip an invalid record, which is counted, while all others of the batch are written', async () => {
    const { load, records } = createWrittenGraph()
    const errors: GraphError[] = []
    const counts = await load(
      ['{"node":\n', TEXT, '\n{"node":{"id":"3","type":"photo","fields":{"width":"x"}}}'],
      {
        onError: error => {
          errors.push(error)
          return 'skip'
        },
      },
    )
    expect(errors.map(({ data }) => data.line)).toEqual([1, 5])
    expect(counts).toEqual({ ...COUNTS, skipped: 2 })
    expect(records()).toEqual(RECORDS)
  })

  it('also skips the records that need a skipped record', async () => {
    const { load, records } = createWrittenGraph()
    const edge = { edge: { source: '1', name: 'friends', target: '2', time: 7 } }
    const counts = await load([user(1), user(2, 7), edge], { onError: () => 'skip' })
    expect(counts).toEqual({ nodes: 1, edges: 0, skipped: 2 })
    expect(records()).toEqual([user(1)])
  })

  it('ends the load unless it returns skip', async () => {
    const { load, records } = createWrittenGraph()
    const error = await expectGraphError(load([user(1), user(2, 7)], { onError: () => 'stop' }))
    expect(error.data).toMatchObject({ line: 2 })
    expect(records()).toEqual([])
  })
})

describe('a wrong call of load', () => {
  it.each([
    [
      undefined,
      {},
      'load: "source" must be a string, bytes, or an (async) iterable of chunks or records; received undefined',
    ],
    [
      { node: {} },
      {},
      'load: "source" must be a string, bytes, or an (async) iterable of chunks or records; received an object with node',
    ],
    [
      '',
      { size: 5 },
      'load: options must be one of "batch", "onProgress", "onError", "signal", "session"; received "size"',
    ],
    ['', { batch: 0 }, 'load: "batch" must be an integer of at least 1; received 0'],
    ['', { batch: 1.5 }, 'load: "batch" must be an integer of at least 1; received 1.5'],
    ['', { onError: 'skip' }, 'load: "onError" must be a function; received "skip"'],
  ])('is a usage error: %j %j', async (source, options, message) => {
    const { load } = createWrittenGraph()
    await expect(load(source as never, options as never)).rejects.toThrow(new TypeError(message))
  })
})
