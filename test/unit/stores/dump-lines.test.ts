import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { withAsyncRelease, withRelease } from '../../../src/stores/dump-lines.ts'
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
