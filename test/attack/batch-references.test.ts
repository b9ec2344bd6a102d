import { createGraph } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { TurnQueue } from '../../src/base/turn-queue.ts'
import { ReferenceResolver } from '../../src/http/batch/reference-resolver.ts'
import { parseReferences } from '../../src/http/batch/references.ts'
import { StepBudget } from '../../src/http/batch/step-budget.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { measureLongestHold } from '../helpers/longest-hold.ts'

type Item = { readonly [name: string]: unknown }
type Printed = { readonly code: number; readonly body: string } | null

/**
 * Milliseconds: much more than any single step takes, and much less than each of these attacks takes without
 * the limits.
 */
const MAX_HOLD_MS = 1500

const EXCEEDED = { reason: 'query_too_expensive', limit: 100_000 }

/** Serves a person with photos, each with images and a caption. */
const serveAlbum = async ({ caption = 'A photo', images = 8 } = {}) => {
  const store = createMemoryStore()
  const writer = createGraph(store)
  const image = { source: 'https://img.example/1.jpg', width: 100, height: 100 }
  await writer.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
  await writer.write(
    Array.from({ length: 100 }, (_, index) => `${100 + index}`).flatMap(id => [
      {
        op: 'putNode' as const,
        node: { id, type: 'photo', fields: { name: caption, images: Array(images).fill(image) } },
      },
      { op: 'putEdge' as const, edge: { source: '1', name: 'photos', target: id, time: '2020-01-01' } },
    ]),
  )
  let reads = 0
  const graph = createGraph(
    delegateStore(store, {
      read: (request, options) => {
        reads++
        return store.read(request, options)
      },
    }),
  )
  const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: ['user_photos'] })
  const handler = createHandler(graph)
  const batch = async (items: readonly Item[]) => {
    const body = JSON.stringify({ batch: items, include_headers: false })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const { value, hold } = await measureLongestHold(() =>
      handler.respond({ method: 'POST', url: '/', headers, body }),
    )
    const printed: Printed[] = JSON.parse(value.body ?? '')
    const outcomes = printed.map(item => {
      const parsed: JsonObject = JSON.parse(item?.body ?? 'null') ?? {}
      const { error } = parsed
      return item === null ? null : (Object(error).error_data ?? item.code)
    })
    return { outcomes, hold }
  }
  return { batch, readsSoFar: () => reads }
}

const aliases = Array.from({ length: 40 }, (_, index) => `images.as(i${index})`).join()
const PHOTOS: Item = {
  name: 'a',
  relative_url: `me/photos?limit=100&fields=${aliases}`,
  omit_response_on_success: false,
}
const PLAIN: Item = { relative_url: 'me?fields=id' }

const createReferringBatch = (path: string, count = 1): Item => ({
  method: 'POST',
  relative_url: 'me',
  body: `method=get&fields=id&x=${`{result=a:${path}}`.repeat(count)}`,
})

describe('JSONPath references in a batch', () => {
  it('visit at most 100,000 values in the whole batch, even if they select none', async () => {
    const { batch, readsSoFar } = await serveAlbum({ images: 2 })
    // The paths have different names, so that no path is in the cache of results.
    const paths = Array.from({ length: 48 }, (_, index) => `$.*.*.*.*.*.*.z${index}`)
    const items = [PHOTOS, ...paths.slice(0, 24).map(path => createReferringBatch(path, 5)), PLAIN]
    const { outcomes, hold } = await batch([
      ...items,
      ...paths.slice(24).map(path => createReferringBatch(path, 5)),
    ])
    const firstExceeded = outcomes.findIndex(outcome => typeof outcome === 'object')
    expect(firstExceeded).toBeGreaterThan(0)
    expect(firstExceeded).toBeLessThan(5)
    // The items before the first rejected item succeed, and so does the item without a reference.
    for (const [position, outcome] of outcomes.entries())
      expect(outcome).toEqual(position < firstExceeded || position === 25 ? 200 : EXCEEDED)
    expect(hold).toBeLessThan(MAX_HOLD_MS)
    // One read for the token, and the reads of each item that ran.
    expect(readsSoFar()).toBeLessThan(20)
  })

  it('evaluate a repeated path only once', async () => {
    const { batch } = await serveAlbum()
    // Each evaluation takes 68,000 steps.
    const items = Array.from({ length: 48 }, () => createReferringBatch('$.data.*.*.*.z', 5))
    expect((await batch([PHOTOS, ...items])).outcomes).toEqual([200, ...items.map(() => 200)])
  })

  it.each(['$..*..*..*', '$..*', '$..z', '$', "$['data']", '$.data[:,:,:,:]', '$..[0,1,2,3,4,5,6,7,8,9]'])(
    'fail if they visit more than 100,000 values: %s',
    async path => {
      const { batch } = await serveAlbum()
      const { outcomes, hold } = await batch([
        PHOTOS,
        createReferringBatch(path),
        createReferringBatch('$.data[0].z'),
        PLAIN,
      ])
      expect(outcomes).toEqual([200, EXCEEDED, EXCEEDED, 200])
      expect(hold).toBeLessThan(MAX_HOLD_MS)
    },
  )

  it('reject a value that is nested too deeply', async () => {
    for (const [depth, path] of [
      [3_000, '$'],
      [50_000, '$'],
      [50_000, '$[0]'],
    ] as const) {
      const values = new ReferenceResolver(new StepBudget(Number.POSITIVE_INFINITY), 1_048_576)
      const text = parseReferences(`{result=a:${path}}`, 'url', 0, 0)
      values.addResponseBody('a', '['.repeat(depth) + ']'.repeat(depth))
      await values.parseResponses(text, new TurnQueue())
      expect(() => values.resolve(text, 'body', 1_048_576)).toThrow(
        expect.objectContaining({ reason: 'query_too_expensive', data: { limit: 100_000 } }),
      )
    }
  })

  it('insert at most as much text in total as a request body may have', async () => {
    const { batch } = await serveAlbum({ caption: 'x'.repeat(10_000) })
    const captions = { name: 'a', relative_url: 'me/photos?limit=100&fields=name' }
    const items = Array.from({ length: 48 }, (_, index) => createReferringBatch(`$.data[${index},0:99].name`))
    const { outcomes, hold } = await batch([captions, ...items])
    const tooLarge = { reason: 'request_too_large', limit: 1_048_576 }
    expect(outcomes).toEqual([null, 200, ...items.slice(1).map(() => tooLarge)])
    expect(hold).toBeLessThan(MAX_HOLD_MS)
  })

  it('fail if they would insert a value that is longer than a request body may be', async () => {
    const { batch } = await serveAlbum({ caption: '"\u0001'.repeat(5_000) })
    const captions = { name: 'a', relative_url: 'me/photos?limit=100&fields=name' }
    const items = Array.from({ length: 48 }, (_, index) => createReferringBatch(`$.data[${index},0:99]`))
    const { outcomes, hold } = await batch([captions, ...items, PLAIN])
    const tooLarge = { reason: 'request_too_large', limit: 1_048_576 }
    expect(outcomes).toEqual([null, ...items.map(() => tooLarge), 200])
    expect(hold).toBeLessThan(MAX_HOLD_MS)
  })
})
