import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WaveAnswer } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { ask, outcomeOf } from '../helpers/ask.ts'
import { openWorld } from '../helpers/open-world.ts'
import { inquiries } from '../helpers/query-arbitraries.ts'
import { settings } from './settings.ts'

/** Changes all that can be reached from a value; throws where something of it is frozen. */
const spoil = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    spoil(member)
    Reflect.set(value, name, 'spoilt')
  }
  Object.assign(value, { added: 'spoilt' })
  if (Array.isArray(value)) value.push('spoilt')
}

/** Hands out the same objects for the same question, and does not freeze them: what is changed once stays changed. */
const remembering = (): ((wave: unknown, read: () => Promise<WaveAnswer>) => Promise<WaveAnswer>) => {
  const answers = new Map<string, Promise<WaveAnswer>>()
  return (wave, read) => {
    const key = JSON.stringify(wave)
    const answer = answers.get(key) ?? read().then(structuredClone)
    answers.set(key, answer)
    return answer
  }
}

describe('an answer belongs to its caller', () => {
  it('changing it changes no later answer, and nothing that the store holds', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries(), async ({ world, asked }) => {
        const remember = remembering()
        const opened = [
          await openWorld(world),
          await openWorld(world, {
            wrap: store =>
              delegateStore(store, {
                read: (wave, options) => remember(wave, async () => store.read(wave, options)),
              }),
          }),
        ]
        for (const { graph, session } of opened) {
          for (const question of asked) {
            const first = await outcomeOf(() => ask(graph, session, question))
            const text = JSON.stringify(first)
            spoil('answer' in first ? first.answer : undefined)
            expect(JSON.stringify(await outcomeOf(() => ask(graph, session, question)))).toBe(text)
          }
        }
      }),
      settings(100),
    )
  })

  it('what is handed in is not changed', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries(), async ({ world, asked }) => {
        const text = JSON.stringify([world, asked])
        const { graph, session } = await openWorld(world)
        for (const question of asked) await outcomeOf(() => ask(graph, session, question))
        expect(JSON.stringify([world, asked])).toBe(text)
      }),
      settings(50),
    )
  })
})
