import { describe, expect, it } from 'vitest'
import {
  createHistoryStorage,
  MAX_HISTORY,
  type StoredRequest,
  type TextStorage,
} from '../../../src/explorer/page/state/history-storage.ts'

const PATH = '/explorer/'

/** Creates a storage in memory, and a map of the texts that it contains. */
const createTestStorage = (initialText?: string) => {
  const texts = new Map<string, string>()
  const storage: TextStorage = {
    getItem: key => texts.get(key) ?? initialText ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: key => void texts.delete(key),
  }
  return { texts, storage }
}

const createRequest = (path: string, fields = ''): StoredRequest => ({
  version: 'v1.0',
  path,
  fields,
  status: 200,
})

describe('the stored history of the Explorer', () => {
  it('contains the requests, oldest first', () => {
    const { storage } = createTestStorage()
    const history = createHistoryStorage(() => storage, PATH)
    for (const path of ['me', 'me/friends']) history.add(createRequest(path, 'name'))
    expect(createHistoryStorage(() => storage, PATH).read()).toEqual([
      createRequest('me', 'name'),
      createRequest('me/friends', 'name'),
    ])
  })

  it('contains each query once, at the position of its latest request', () => {
    const { storage } = createTestStorage()
    const history = createHistoryStorage(() => storage, PATH)
    for (const path of ['me', 'me/friends', 'me']) history.add(createRequest(path))
    expect(history.read().map(({ path }) => path)).toEqual(['me/friends', 'me'])
  })

  it('contains the latest 50 requests, and no request with a very long path or expression', () => {
    const { storage } = createTestStorage()
    const history = createHistoryStorage(() => storage, PATH)
    for (let id = 1; id <= MAX_HISTORY + 5; id++) history.add(createRequest(`${id}`))
    history.add(createRequest('me', 'x'.repeat(10_001)))
    const paths = history.read().map(({ path }) => path)
    expect([paths.length, paths[0], paths.at(-1)]).toEqual([MAX_HISTORY, '6', `${MAX_HISTORY + 5}`])
  })

  it('contains the requests of all tabs', () => {
    const { storage } = createTestStorage()
    const [first, second] = [1, 2].map(() => createHistoryStorage(() => storage, PATH))
    first?.add(createRequest('me'))
    second?.add(createRequest('me/friends'))
    expect(first?.read()).toHaveLength(2)
  })

  it('contains no token', () => {
    const { storage, texts } = createTestStorage()
    const history = createHistoryStorage(() => storage, PATH)
    history.add(createRequest('me?access_token=secret&appsecret_proof=secret'))
    history.add(createRequest('debug_token?input_token=secret'))
    expect([...texts.values()].join()).not.toContain('secret')
    expect(history.read().map(({ path }) => path)).toEqual(['me', 'debug_token'])
  })

  it('is separate for each path of an Explorer', () => {
    const { storage } = createTestStorage()
    const [first, second] = ['/a/', '/b/'].map(path => createHistoryStorage(() => storage, path))
    first?.add(createRequest('me'))
    expect(second?.read()).toEqual([])
    second?.clear()
    expect(first?.read()).toHaveLength(1)
    first?.clear()
    expect(first?.read()).toEqual([])
  })

  it.each([
    ['no JSON', '{', 0],
    ['another value', '{"path":"me"}', 0],
    ['null', 'null', 0],
    ['items of other types', '[1,null,"me",[],{"path":1}]', 0],
    ['an invalid version', '[{"version":"v1/../..","path":"me","fields":"","status":200}]', 0],
    [
      'a valid item after an invalid one',
      '[{"path":"me"},{"version":"","path":"me","fields":"","status":200}]',
      1,
    ],
  ])('ignores invalid content: %s', (_, text, count) => {
    const { storage } = createTestStorage(text)
    const history = createHistoryStorage(() => storage, PATH)
    expect(history.read()).toHaveLength(count)
    history.add(createRequest('me/friends'))
    expect(history.read().at(-1)).toEqual(createRequest('me/friends'))
  })

  it('is empty if the browser forbids storage, and does not change if the storage is full', () => {
    const forbidden = createHistoryStorage(() => {
      throw new Error('SecurityError')
    }, PATH)
    forbidden.add(createRequest('me'))
    forbidden.clear()
    expect(forbidden.read()).toEqual([])
    const { storage } = createTestStorage('[{"version":"v1.0","path":"me","fields":"","status":200}]')
    const full = createHistoryStorage(() => ({ ...storage, setItem: throwQuotaError }), PATH)
    full.add(createRequest('me/friends'))
    expect(full.read()).toEqual([createRequest('me')])
  })
})

const throwQuotaError = (): never => {
  throw new Error('QuotaExceededError')
}
