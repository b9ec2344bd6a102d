import type { NodeId } from '../../../src/base/ids.ts'
import type { Mutation, NodeRecord, Store, WaveAnswer } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { createModelStore } from '../../../src/testing/model-store.ts'
import type { Sabotage } from './sabotage.ts'

const sabotage = (name: string, section: string, replace: (store: Store) => Partial<Store>): Sabotage => ({
  name,
  section,
  create: () => {
    const store = createModelStore()
    return delegateStore(store, replace(store))
  },
})

const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))

const stalestCount = (store: Store): Partial<Store> => {
  const counts = new Map<string, number | undefined>()
  return {
    read: async (wave, options) => {
      const answer = await store.read(wave, options)
      const ranges = answer.ranges.map((slice, index) => {
        const key = JSON.stringify([wave.ranges[index]?.source, wave.ranges[index]?.name])
        if (slice.total !== undefined && !counts.has(key)) counts.set(key, slice.total)
        return { ...slice, total: slice.total === undefined ? undefined : counts.get(key) }
      })
      return { ...answer, ranges }
    },
  }
}

/** Hands out what it keeps, until the next write. */
const leakedRecords = (store: Store): Partial<Store> => {
  const answers = new Map<string, WaveAnswer>()
  return {
    read: async (wave, options) => {
      const key = JSON.stringify(wave)
      const answer = answers.get(key) ?? (await store.read(wave, options))
      answers.set(key, answer)
      return answer
    },
    write: (mutations, options) => {
      answers.clear()
      return store.write(mutations, options)
    },
  }
}

const keptRecords = (store: Store): Partial<Store> => {
  const kept = new Map<NodeId, NodeRecord>()
  return {
    read: async (wave, options) => {
      const answer = await store.read(wave, options)
      return { ...answer, nodes: answer.nodes.map(node => node && (kept.get(node.id) ?? node)) }
    },
    write: async (mutations, options) => {
      const written = await store.write(mutations, options)
      for (const mutation of mutations) {
        if (mutation.op === 'putNode') kept.set(mutation.node.id, mutation.node)
        else if (mutation.op === 'patchNode') kept.delete(mutation.id)
      }
      return written
    },
  }
}

const writeOneByOne = (store: Store, pause: () => Promise<void> | undefined): Store['write'] => {
  return async (mutations, options) => {
    for (const mutation of mutations) {
      await store.write([mutation], options)
      await pause()
    }
    return { version: undefined }
  }
}

/** Reads, waits and writes back, as a patch in the calling code would. */
const lostUpdates = (store: Store): Store['write'] => {
  const merged = async (mutation: Mutation): Promise<Mutation> => {
    if (mutation.op !== 'patchNode') return mutation
    const options = { signal: undefined, deadline: undefined, atLeast: undefined }
    const { nodes } = await store.read({ nodes: [mutation.id], ranges: [], tests: [], tokens: [] }, options)
    await turn()
    const node = nodes[0]
    return node === undefined
      ? mutation
      : { op: 'putNode', node: { ...node, fields: { ...node.fields, ...mutation.fields } } }
  }
  return async (mutations, options) => store.write(await Promise.all(mutations.map(merged)), options)
}

const MOST_KEYS = 100

const isFirst = <T>(value: T, index: number, values: readonly T[]): boolean => values.indexOf(value) === index

/** One store for all who ask for a fresh one. */
const createShared = (): (() => Store) => {
  const store = createModelStore()
  return () => store
}

/** Stores that are wrong about batches, waves, snapshots and what is whose. */
export const storeSabotages: readonly Sabotage[] = [
  sabotage('a batch that is torn where it fails', 'batches', store => ({
    write: writeOneByOne(store, () => undefined),
  })),
  sabotage('a fault that is swallowed', 'batches', store => ({
    write: async (mutations, options) => {
      try {
        return await store.write(mutations, options)
      } catch {
        return { version: undefined }
      }
    },
  })),
  sabotage('a fault that is no invalid mutation', 'batches', store => ({
    write: async (mutations, options) => {
      try {
        return await store.write(mutations, options)
      } catch (cause) {
        throw new Error('constraint failed', { cause })
      }
    },
  })),
  sabotage('a batch that can be seen half done', 'concurrency', store => ({
    write: writeOneByOne(store, turn),
  })),
  sabotage('patches in parallel that lose fields', 'concurrency', store => ({ write: lostUpdates(store) })),
  sabotage('a count that is never counted again', 'counts', stalestCount),
  sabotage('records that are handed out as they are kept', 'immutability', leakedRecords),
  sabotage('records that are kept as they are handed in', 'immutability', keptRecords),
  sabotage('a snapshot that sees what is written later', 'snapshots', store => ({
    snapshot: () => ({ read: (wave, options) => store.read(wave, options), close: () => undefined }),
  })),
  sabotage('snapshots that are declared and refused', 'snapshots', () => ({
    snapshot: () => Promise.reject(new Error('not supported')),
  })),
  sabotage('duplicates that are answered once', 'waves', store => ({
    read: (wave, options) => store.read({ ...wave, nodes: wave.nodes.filter(isFirst) }, options),
  })),
  sabotage('duplicates that are answered in the first place alone', 'waves', store => ({
    read: async (wave, options) => {
      const answer = await store.read(wave, options)
      return {
        ...answer,
        nodes: answer.nodes.map((node, index) =>
          isFirst(wave.nodes[index], index, wave.nodes) ? node : undefined,
        ),
      }
    },
  })),
  sabotage('waves that end at 100 keys', 'waves', store => ({
    read: (wave, options) => store.read({ ...wave, tests: wave.tests.slice(0, MOST_KEYS) }, options),
  })),
  sabotage('one limit for all ranges of a wave', 'waves', store => ({
    read: (wave, options) => {
      const limit = wave.ranges[0]?.limit ?? 0
      return store.read({ ...wave, ranges: wave.ranges.map(range => ({ ...range, limit })) }, options)
    },
  })),
  sabotage('absence that is null', 'nodes', store => ({
    read: async (wave, options) => {
      const answer = await store.read(wave, options)
      return { ...answer, nodes: JSON.parse(JSON.stringify(answer.nodes)) }
    },
  })),
  sabotage('tests without regard to direction', 'tests', store => ({
    read: async (wave, options) => {
      const answer = await store.read(wave, options)
      const turned = wave.tests.map(({ source, name, target }) => ({ source: target, name, target: source }))
      const { tests } = await store.read({ ...wave, tests: turned }, options)
      return { ...answer, tests: answer.tests.map((test, index) => test || tests[index] === true) }
    },
  })),
  { name: 'a store that another one writes to', section: 'lifecycle', create: createShared() },
]
