import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divideIntoPages, withAsyncRelease, withRelease } from '../../../src/stores/dump-lines.ts'
import { readDumpLines } from '../../helpers/read-dump-lines.ts'

const LINES = ['a\n', 'b\n']

async function* readLater(): AsyncGenerator<string> {
  yield* LINES
}

const kinds = [
  ['withRelease', async (release: () => void) => withRelease(LINES, release)],
  ['withAsyncRelease', (release: () => void) => withAsyncRelease(readLater(), release)],
] as const

describe.each(kinds)('%s', (_, attach) => {
  /** Opens lines whose releases are counted. */
  const openLines = async () => {
    let releases = 0
    const lines = await attach(() => {
      releases++
    })
    return { lines, countReleases: () => releases }
  }

  it('yields the lines unchanged and calls the release function after the last one', async () => {
    const { lines, countReleases } = await openLines()
    expect(countReleases()).toBe(0)
    expect(await readDumpLines(lines)).toEqual(LINES)
    expect(countReleases()).toBe(1)
  })

  it('calls the release function if reading stops early', async () => {
    const { lines, countReleases } = await openLines()
    for await (const line of lines) {
      expect([line, countReleases()]).toEqual(['a\n', 0])
      break
    }
    expect(countReleases()).toBe(1)
  })

  it('calls the release function if reading stops before the first line', async () => {
    const { lines, countReleases } = await openLines()
    Readable.from(lines).destroy()
    await turn()
    expect(countReleases()).toBe(1)
    expect(await readDumpLines(lines)).toEqual([])
    expect(countReleases()).toBe(1)
  })
})

describe('divideIntoPages', () => {
  const MAX_SIZE = 8 * 1024 * 1024
  const sizeLists = fc.array(fc.oneof(fc.nat(1000), fc.nat(20_000_000)), { maxLength: 200 })

  it('puts each record into one page, and fills pages up to their maximum size', () => {
    fc.assert(
      fc.property(sizeLists, sizes => {
        let start = 0
        for (const count of divideIntoPages(sizes)) {
          const page = sizes.slice(start, start + count)
          const total = page.reduce((sum, size) => sum + size, 0)
          const next = sizes[start + count]
          expect(count).toBeGreaterThan(0)
          expect(count === 1 || total <= MAX_SIZE).toBe(true)
          expect(next === undefined || total + next > MAX_SIZE).toBe(true)
          start += count
        }
        expect(start).toBe(sizes.length)
      }),
    )
  })
})
