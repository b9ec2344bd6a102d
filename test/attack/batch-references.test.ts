import { createGraph } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { Turns } from '../../src/base/turns.ts'
import { ReferenceValues } from '../../src/http/batch/reference-values.ts'
import { referringText } from '../../src/http/batch/references.ts'
import { StepBudget } from '../../src/http/batch/step-budget.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { withLongestHold } from '../helpers/longest-hold.ts'

type Item = { readonly [name: string]: unknown }
type Printed = { readonly code: number; readonly body: string } | null

/** Much longer than any step takes, and much shorter than each of these attacks took. */
const HOLD = 1500

const EXCEEDED = { reason: 'too_costly', limit: 100_000 }

/** A person with photos, each with images and a caption. */
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
      read: (wave, options) => {
        reads++
        return store.read(wave, options)
      },
    }),
  )
  const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: ['user_photos'] })
  const handler = createHandler(graph)
  const batch = async (items: readonly Item[]) => {
    const body = JSON.stringify({ batch: items, include_headers: false })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const { value, hold } = await withLongestHold(() =>
      handler.answer({ method: 'POST', url: '/', headers, body }),
    )
    const printed: Printed[] = JSON.parse(value.body ?? '')
    const outcomes = printed.map(item => {
      const told: JsonObject = JSON.parse(item?.body ?? 'null') ?? {}
      const { error } = told
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

const referring = (path: string, count = 1): Item => ({
  method: 'POST',
  relative_url: 'me',
  body: `method=get&fields=id&x=${`{result=a:${path}}`.repeat(count)}`,
})

describe('references of a batch', () => {
  it('visit 100,000 values together, whatever they find', async () => {
    const { batch, readsSoFar } = await serveAlbum({ images: 2 })
    // The names of the paths differ, so that no result is known already.
    const paths = Array.from({ length: 48 }, (_, index) => `$.*.*.*.*.*.*.z${index}`)
    const items = [PHOTOS, ...paths.slice(0, 24).map(path => referring(path, 5)), PLAIN]
    const { outcomes, hold } = await batch([...items, ...paths.slice(24).map(path => referring(path, 5))])
    const firstExceeded = outcomes.findIndex(outcome => typeof outcome === 'object')
    expect(firstExceeded).toBeGreaterThan(0)
    expect(firstExceeded).toBeLessThan(5)
    // Those before it have what they wanted, and so has the one without a reference.
    for (const [place, outcome] of outcomes.entries())
      expect(outcome).toEqual(place < firstExceeded || place === 25 ? 200 : EXCEEDED)
    expect(hold).toBeLessThan(HOLD)
    // The token, and for each item that ran its own.
    expect(readsSoFar()).toBeLessThan(20)
  })

  it('evaluate a path once, however often it is written', async () => {
    const { batch } = await serveAlbum()
    // 68,000 steps each time, if each was evaluated.
    const items = Array.from({ length: 48 }, () => referring('$.data.*.*.*.z', 5))
    expect((await batch([PHOTOS, ...items])).outcomes).toEqual([200, ...items.map(() => 200)])
  })

  it.each(['$..*..*..*', '$..*', '$..z', '$', "$['data']", '$.data[:,:,:,:]', '$..[0,1,2,3,4,5,6,7,8,9]'])(
    'do not go through all of %s',
    async path => {
      const { batch } = await serveAlbum()
      const { outcomes, hold } = await batch([PHOTOS, referring(path), referring('$.data[0].z'), PLAIN])
      expect(outcomes).toEqual([200, EXCEEDED, EXCEEDED, 200])
      expect(hold).toBeLessThan(HOLD)
    },
  )

  it('print no value that is too deep to be printed', async () => {
    for (const [depth, path] of [
      [3_000, '$'],
      [50_000, '$'],
      [50_000, '$[0]'],
    ] as const) {
      const values = new ReferenceValues(new StepBudget(Number.POSITIVE_INFINITY), 1_048_576)
      const text = referringText(`{result=a:${path}}`, 0, 0)
      values.keep('a', '['.repeat(depth) + ']'.repeat(depth))
      await values.parse(text, new Turns())
      expect(() => values.resolve(text, 'body', 1_048_576)).toThrow(
        expect.objectContaining({ data: EXCEEDED }),
      )
    }
  })

  it('put no more text into all items than a body may have', async () => {
    const { batch } = await serveAlbum({ caption: 'x'.repeat(10_000) })
    const captions = { name: 'a', relative_url: 'me/photos?limit=100&fields=name' }
    const items = Array.from({ length: 48 }, (_, index) => referring(`$.data[${index},0:99].name`))
    const { outcomes, hold } = await batch([captions, ...items])
    const tooLarge = { reason: 'request_too_large', limit: 1_048_576 }
    expect(outcomes).toEqual([null, 200, ...items.slice(1).map(() => tooLarge)])
    expect(hold).toBeLessThan(HOLD)
  })

  it('put no value into an item that is too long for it, and then none at all', async () => {
    const { batch } = await serveAlbum({ caption: '"\u0001'.repeat(5_000) })
    const captions = { name: 'a', relative_url: 'me/photos?limit=100&fields=name' }
    const items = Array.from({ length: 48 }, (_, index) => referring(`$.data[${index},0:99]`))
    const { outcomes, hold } = await batch([captions, ...items, PLAIN])
    const tooLarge = { reason: 'request_too_large', limit: 1_048_576 }
    expect(outcomes).toEqual([null, ...items.map(() => tooLarge), 200])
    expect(hold).toBeLessThan(HOLD)
  })
})
