import { describe, expect, it } from 'vitest'
import type { GraphError } from '../../../src/base/faults.ts'
import type { LoadCounts } from '../../../src/write/load.ts'
import { faultOf } from '../abuse/fault-of.ts'
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

async function* inTime<T>(...chunks: readonly T[]): AsyncGenerator<T> {
  yield* chunks
}

describe('load takes', () => {
  it.each([
    ['a text', TEXT],
    ['its bytes', bytes],
    ['chunks of text', [TEXT.slice(0, 70), TEXT.slice(70, 75), TEXT.slice(75)]],
    ['chunks of bytes', [bytes.slice(0, 70), bytes.slice(70)]],
    ['a Node buffer', [Buffer.from(TEXT)]],
    ['chunks that come in time', inTime(TEXT.slice(0, 70), TEXT.slice(70))],
    ['a stream of the Web', new Blob([TEXT]).stream()],
    ['records', LINES.map(line => JSON.parse(line))],
    ['records that come in time', inTime(...LINES.map(line => JSON.parse(line)))],
    ['a set, a generator, any iterable', new Set(LINES.map(line => `${line}\n`))],
    ['line breaks of Windows, blank lines, a last line break', `${LINES.join('\r\n\r\n  \n')}\r\n`],
    ['a byte order mark', `\ufeff${TEXT}`],
    ['the bytes of a byte order mark', new TextEncoder().encode(`\ufeff${TEXT}`)],
  ])('%s', async (_, source) => {
    const { load, records } = createWrittenGraph()
    expect(await load(source)).toEqual(COUNTS)
    expect(records()).toEqual(RECORDS)
  })

  it('nothing', async () => {
    const { load } = createWrittenGraph()
    expect(await load([])).toEqual({ nodes: 0, edges: 0, skipped: 0 })
    expect(await load('\n')).toEqual({ nodes: 0, edges: 0, skipped: 0 })
  })

  it('a buffer that its reader fills again and again', async () => {
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

describe('loading again what is there', () => {
  it('changes nothing', async () => {
    const { load, records } = createWrittenGraph()
    await load(TEXT)
    expect(await load(TEXT)).toEqual(COUNTS)
    expect(records()).toEqual(RECORDS)
  })
})

describe('the batches of a load', () => {
  it('are written one after the other, each told of', async () => {
    const { load } = createWrittenGraph()
    const progress: LoadCounts[] = []
    const counts = await load(
      Array.from({ length: 5 }, (_, index) => user(index + 1)),
      { batch: 2, onProgress: counts => progress.push(counts) },
    )
    expect(progress.map(({ nodes }) => nodes)).toEqual([2, 4, 5])
    expect(counts).toEqual({ nodes: 5, edges: 0, skipped: 0 })
  })

  it('stay written where a later one fails, of which nothing is', async () => {
    const { load, records } = createWrittenGraph()
    await faultOf(load([user(1), user(2), user(3), user(4, 7)], { batch: 2 }))
    expect(records()).toEqual([user(1), user(2)])
  })

  it('end at the signal, and the source is told to end too', async () => {
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
    const error = await faultOf(load(endless(), options))
    expect(error.data.reason).toBe('aborted')
    expect(records()).toEqual([user(1), user(2)])
    expect(ended).toBe(true)
  })

  it('fail with what the source fails with', async () => {
    const { load } = createWrittenGraph()
    const broken = async function* () {
      yield user(1)
      throw new Error('the disk is gone')
    }
    await expect(load(broken())).rejects.toThrow('the disk is gone')
  })
})

describe('a record that does not fit', () => {
  const short = (line: string) => `${LINES[0]}\n\n${line}\n${LINES[1]}`

  it.each([
    ['{"node":', { path: '', expected: 'JSON', came: '"{\\"node\\":"' }],
    ['[]', { path: '', expected: 'an object with node, edge', came: 'a list of 0' }],
    ['{}', { path: '', expected: 'an object with node or edge, and not both', came: 'an empty object' }],
    ['{"node":{},"edge":{}}', { path: '', expected: 'an object with node or edge, and not both' }],
    ['{"nodes":[]}', { path: 'nodes', expected: 'a member such as node', came: '"nodes"' }],
    ['{"node":{"id":"9","type":"user","fields":{"name":7}}}', { path: 'node.fields.name', came: '7' }],
    [
      '{"edge":{"source":"1","name":"friends","target":"1"}}',
      { path: 'edge.time', expected: 'integer milliseconds, a Date or an ISO 8601 date', came: 'undefined' },
    ],
    [
      '{"edge":{"source":"1","name":"friends","target":"2","time":1}}',
      { path: 'edge.target', expected: 'the id of a node that exists', came: '"2"' },
    ],
  ])('is named by its line: %s', async (line, fault) => {
    const { load, records } = createWrittenGraph()
    const error = await faultOf(load(short(line)))
    expect(error.data).toMatchObject({ reason: 'invalid_mutation', line: 3, ...fault })
    expect(error.message).toMatch(/^\(#100\) Line 3: .*must be .*, came /)
    expect(records()).toEqual([])
  })

  it('is named by its number, where records come as objects', async () => {
    const { load } = createWrittenGraph()
    const error = await faultOf(load([user(1), user(2, null)]))
    expect(error.data).toMatchObject({ line: 2, path: 'node.fields.name' })
    expect(error.message).toMatch(/^\(#100\) Item 2: node\.fields\.name must be /)
  })

  it('is the first of its batch, whatever is wrong with the others', async () => {
    const { load } = createWrittenGraph()
    const error = await faultOf(load('{"node":{"id":"1","type":"usr","fields":{}}}\n{"node":'))
    expect(error.data).toMatchObject({ line: 1, path: 'node.type' })
  })
})

describe('onFault', () => {
  it('has records skipped and counted, and all others of the batch written', async () => {
    const { load, records } = createWrittenGraph()
    const faults: GraphError[] = []
    const counts = await load(
      ['{"node":\n', TEXT, '\n{"node":{"id":"3","type":"photo","fields":{"width":"x"}}}'],
      {
        onFault: fault => {
          faults.push(fault)
          return 'skip'
        },
      },
    )
    expect(faults.map(({ data }) => data.line)).toEqual([1, 5])
    expect(counts).toEqual({ ...COUNTS, skipped: 2 })
    expect(records()).toEqual(RECORDS)
  })

  it('has what needs a skipped record skipped too', async () => {
    const { load, records } = createWrittenGraph()
    const edge = { edge: { source: '1', name: 'friends', target: '2', time: 7 } }
    const counts = await load([user(1), user(2, 7), edge], { onFault: () => 'skip' })
    expect(counts).toEqual({ nodes: 1, edges: 0, skipped: 2 })
    expect(records()).toEqual([user(1)])
  })

  it('ends the load unless it answers skip', async () => {
    const { load, records } = createWrittenGraph()
    const error = await faultOf(load([user(1), user(2, 7)], { onFault: () => 'stop' }))
    expect(error.data).toMatchObject({ line: 2 })
    expect(records()).toEqual([])
  })
})

describe('what load cannot work with', () => {
  it.each([
    [undefined, {}, 'load: expected text, bytes or an (async) iterable of chunks or records, came undefined'],
    [
      { node: {} },
      {},
      'load: expected text, bytes or an (async) iterable of chunks or records, came an object with node',
    ],
    ['', { size: 5 }, 'load: unknown option "size"; expected one of batch, onProgress, onFault, signal'],
    ['', { batch: 0 }, 'load: batch must be an integer above 0, came 0'],
    ['', { batch: 1.5 }, 'load: batch must be an integer above 0, came 1.5'],
    ['', { onFault: 'skip' }, 'load: onFault must be a function, came "skip"'],
  ])('is a mistake of the program: %j %j', async (source, options, message) => {
    const { load } = createWrittenGraph()
    await expect(load(source as never, options as never)).rejects.toThrow(new TypeError(message))
  })
})
