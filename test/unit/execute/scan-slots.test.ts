import { describe, expect, it } from 'vitest'
import { ScanSlots, type Slot } from '../../../src/execute/scan-slots.ts'

/** Lets everything happen that is due. */
const settled = () => new Promise<void>(resolve => void setTimeout(resolve, 0))

const forever = (slot: Promise<void>): Promise<void> => slot

/** Requests slots under names, and notes the order in which they are given. */
const openSlots = (all: number, each: number) => {
  const slots = new ScanSlots({ all, each })
  const given: string[] = []
  const held = new Map<string, Slot>()
  const take = async (name: string, wait = forever): Promise<void> => {
    const [key = ''] = name
    held.set(name, await slots.take(key, wait))
    given.push(name)
  }
  const release = (name: string): void => held.get(name)?.release()
  return { take, release, given }
}

/** A wait that ends with an error when it is told to. */
const endingWait = () => {
  let end = (): void => undefined
  const promise = new Promise<never>((_, reject) => {
    end = () => reject(new Error('too late'))
  })
  return { wait: (slot: Promise<void>) => Promise.race([slot, promise]), end: () => end() }
}

describe('slots', () => {
  it('are given at once while there are some: so many in all, so many to each viewer', async () => {
    const { take, given } = openSlots(3, 2)
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void take(name)
    await settled()
    expect(given).toEqual(['a1', 'a2', 'b1'])
  })

  it('are given in the order of the requests', async () => {
    const { take, release, given } = openSlots(2, 2)
    for (const name of ['a1', 'a2', 'b1', 'c1', 'b2', 'a3']) void take(name)
    for (const name of ['a2', 'a1', 'b1', 'c1']) {
      await settled()
      release(name)
    }
    await settled()
    expect(given).toEqual(['a1', 'a2', 'b1', 'c1', 'b2', 'a3'])
  })

  it('of others are not delayed by the requests of a busy viewer', async () => {
    const { take, release, given } = openSlots(3, 1)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1']) void take(name)
    await settled()
    expect(given).toEqual(['a1', 'b1', 'c1'])
    release('b1')
    await settled()
    expect(given.slice(3)).toEqual(['d1'])
    release('a1')
    await settled()
    expect(given.slice(4)).toEqual(['a2'])
  })

  it('go to the next request if one is withdrawn while it waits', async () => {
    const { take, release, given } = openSlots(1, 1)
    const { wait, end } = endingWait()
    await take('a1')
    const withdrawn = take('b1', wait)
    void take('c1')
    end()
    await expect(withdrawn).rejects.toThrow('too late')
    release('a1')
    await settled()
    expect(given).toEqual(['a1', 'c1'])
    release('c1')
    await take('d1')
  })

  it('go to the next request if one is withdrawn at the moment at which its slot is given', async () => {
    const { take, release, given } = openSlots(1, 1)
    await take('a1')
    const withdrawn = take('b1', async slot => {
      await slot
      throw new Error('too late')
    })
    void take('c1')
    release('a1')
    await expect(withdrawn).rejects.toThrow('too late')
    await settled()
    expect(given).toEqual(['a1', 'c1'])
  })

  it('are all free again in the end', async () => {
    const { take, release, given } = openSlots(2, 1)
    for (let round = 0; round < 3; round++) {
      for (const name of ['a1', 'b1']) void take(name)
      await settled()
      for (const name of ['a1', 'b1']) release(name)
    }
    expect(given).toEqual(['a1', 'b1', 'a1', 'b1', 'a1', 'b1'])
  })
})
