import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { heldAsyncLines, heldLines } from '../../../src/stores/dump/held-lines.ts'
import { dumpedLines } from '../../helpers/dumped-lines.ts'

const LINES = ['a\n', 'b\n']

async function* later(): AsyncGenerator<string> {
  yield* LINES
}

/** Lines that count how often they let go. */
const kinds = [
  ['lines', async (letGo: () => void) => heldLines(LINES, letGo)],
  ['lines that are waited for', (letGo: () => void) => heldAsyncLines(later(), letGo)],
] as const

describe.each(kinds)('held %s', (_, hold) => {
  const held = async () => {
    let times = 0
    const lines = await hold(() => {
      times++
    })
    return { lines, letGo: () => times }
  }

  it('come as they are, and are let go of when they were read', async () => {
    const { lines, letGo } = await held()
    expect(letGo()).toBe(0)
    expect(await dumpedLines(lines)).toEqual(LINES)
    expect(letGo()).toBe(1)
  })

  it('are let go of where reading is broken off', async () => {
    const { lines, letGo } = await held()
    for await (const line of lines) {
      expect([line, letGo()]).toEqual(['a\n', 0])
      break
    }
    expect(letGo()).toBe(1)
  })

  it('are let go of where reading is broken off before the first line', async () => {
    const { lines, letGo } = await held()
    Readable.from(lines).destroy()
    await turn()
    expect(letGo()).toBe(1)
    expect(await dumpedLines(lines)).toEqual([])
    expect(letGo()).toBe(1)
  })
})
