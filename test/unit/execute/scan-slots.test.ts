import { describe, expect, it } from 'vitest'
import { type ScanSlot, ScanSlots } from '../../../src/execute/scan-slots.ts'

/** Waits until all pending callbacks have run. */
const settleAll = () => new Promise<void>(resolve => void setTimeout(resolve, 0))

const holdForever = (slot: Promise<void>): Promise<void> => slot

/**
 * Creates slots that are requested by name, and a list of the names in the order in which they receive a
 * slot.
 */
const openSlots = (total: number, perKey: number) => {
  const slots = new ScanSlots({ total, perKey })
  const given: string[] = []
  const held = new Map<string, ScanSlot>()
  const take = async (name: string, wait = holdForever): Promise<void> => {
    const [key = ''] = name
    held.set(name, await slots.take(key, wait))
    given.push(name)
  }
  const release = (name: string): void => held.get(name)?.release()
  return { take, release, given }
}

/** Creates a wait that rejects when `end` is called. */
const createEndingWait = () => {
  let end = (): void => undefined
  const promise = new Promise<never>((_, reject) => {
    end = () => reject(new Error('too late'))
  })
  return { wait: (slot: Promise<void>) => Promise.race([slot, promise]), end: () => end() }
}

describe('scan slots, which limit concurrent scans', () => {
  it('are given without delay, up to the total limit and the limit for one viewer', async () => {
    const { take, given } = openSlots(3, 2)
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void take(name)
    await settleAll()
    expect(given).toEqual(['a1', 'a2', 'b1'])
  })

  it('are given in the order of the requests', async () => {
    const { take, release, given } = openSlots(2, 2)
    for (const name of ['a1', 'a2', 'b1', 'c1', 'b2', 'a3']) void take(name)
    for (const name of ['a2', 'a1', 'b1', 'c1']) {
      await settleAll()
      release(name)
    }
    await settleAll()
    expect(given).toEqual(['a1', 'a2', 'b1', 'c1', 'b2', 'a3'])
  })

  it('are given to other viewers without delay while a busy viewer waits', async () => {
    const { take, release, given } = openSlots(3, 1)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1']) void take(name)
    await settleAll()
    expect(given).toEqual(['a1', 'b1', 'c1'])
    release('b1')
    await settleAll()
    expect(given.slice(3)).toEqual(['d1'])
    release('a1')
    await settleAll()
    expect(given.slice(4)).toEqual(['a2'])
  })

  it('are given to the next request if one is withdrawn while it waits', async () => {
    const { take, release, given } = openSlots(1, 1)
    const { wait, end } = createEndingWait()
    await take('a1')
    const withdrawn = take('b1', wait)
    void take('c1')
    end()
    await expect(withdrawn).rejects.toThrow('too late')
    release('a1')
    await settleAll()
    expect(given).toEqual(['a1', 'c1'])
    release('c1')
    await take('d1')
  })

  it('are given to the next request if one is withdrawn when its slot is given', async () => {
    const { take, release, given } = openSlots(1, 1)
    await take('a1')
    const withdrawn = take('b1', async slot => {
      await slot
      throw new Error('too late')
    })
    void take('c1')
    release('a1')
    await expect(withdrawn).rejects.toThrow('too late')
    await settleAll()
    expect(given).toEqual(['a1', 'c1'])
  })

  it('can all be given again after their release', async () => {
    const { take, release, given } = openSlots(2, 1)
    for (let round = 0; round < 3; round++) {
      for (const name of ['a1', 'b1']) void take(name)
      await settleAll()
      for (const name of ['a1', 'b1']) release(name)
    }
    expect(given).toEqual(['a1', 'b1', 'a1', 'b1', 'a1', 'b1'])
  })
})
