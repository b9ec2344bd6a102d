import { GraphError, isGraphError } from '../../../src/base/faults.ts'
import type { NodeId } from '../../../src/base/ids.ts'
import type { Mutation, NodeRecord, Store, StoreSnapshot, WaveAnswer } from '../../../src/store/contract.ts'
import { createModelStore } from '../../../src/testing/model-store.ts'
import { type Sabotage, sabotageModel } from './sabotage.ts'

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

/** Writes a batch in parts; a part that is refused names the place in the whole batch. */
const writeInParts =
  (store: Store, size: number): Store['write'] =>
  async (mutations, options) => {
    for (let start = 0; start < mutations.length; start += size)
      try {
        await store.write(mutations.slice(start, start + size), options)
      } catch (error) {
        throw isGraphError(error) ? renamed(error, Number(error.data.index) + start) : error
      }
    return { version: undefined }
  }

/** The same refusal, of another mutation. */
const renamed = ({ message, data }: GraphError, index: number): GraphError =>
  new GraphError('invalid_mutation', message, { ...data, index })

const refusingAt = (
  name: string,
  place: (index: number, mutations: readonly Mutation[]) => number,
): Sabotage =>
  sabotageModel(name, 'batches', store => ({
    write: async (mutations, options) => {
      try {
        return await store.write(mutations, options)
      } catch (error) {
        throw isGraphError(error) ? renamed(error, place(Number(error.data.index), mutations)) : error
      }
    },
  }))

/** A snapshot that is only read from as long as few writes came after it. */
const forgottenSnapshots = (store: Store): Partial<Store> => {
  let writes = 0
  return {
    write: (mutations, options) => {
      writes++
      return store.write(mutations, options)
    },
    snapshot: async () => {
      const snapshot = await store.snapshot()
      const before = writes
      return {
        read: (wave, options) => (writes - before > 20 ? store : snapshot).read(wave, options),
        close: () => snapshot.close(),
      }
    },
  }
}

const liveCounts = (store: Store): Partial<Store> => ({
  snapshot: async () => {
    const snapshot = await store.snapshot()
    return {
      read: async (wave, options) => {
        const answer = await snapshot.read(wave, options)
        const live = (await store.read(wave, options)).ranges
        const ranges = answer.ranges.map((slice, index) =>
          Number(slice.total) > 20 ? { ...slice, total: live[index]?.total } : slice,
        )
        return { ...answer, ranges }
      },
      close: () => snapshot.close(),
    }
  },
})

/** Answers what was there before the last write, but to those who name its version. */
const laggingReads = (store: Store): Partial<Store> => {
  let behind: StoreSnapshot | undefined
  let writes = 0
  return {
    write: async (mutations, options) => {
      behind = await store.snapshot()
      await store.write(mutations, options)
      return { version: `${++writes}` }
    },
    read: (wave, options) =>
      (options.atLeast === `${writes}` ? store : (behind ?? store)).read(wave, options),
  }
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
  sabotageModel('a batch that is torn where it fails', 'batches', store => ({
    write: writeInParts(store, 1),
  })),
  sabotageModel('a batch of more than 1,000 that is torn where it fails', 'batches', store => ({
    write: writeInParts(store, 1000),
  })),
  refusingAt('a refusal that names the last mutation', (_, mutations) => mutations.length - 1),
  refusingAt('a refusal that counts from 1', index => index + 1),
  sabotageModel('a fault that is swallowed', 'batches', store => ({
    write: async (mutations, options) => {
      try {
        return await store.write(mutations, options)
      } catch {
        return { version: undefined }
      }
    },
  })),
  sabotageModel('a fault that is no invalid mutation', 'batches', store => ({
    write: async (mutations, options) => {
      try {
        return await store.write(mutations, options)
      } catch (cause) {
        throw new Error('constraint failed', { cause })
      }
    },
  })),
  sabotageModel('a count that is never counted again', 'counts', stalestCount),
  sabotageModel('records that are handed out as they are kept', 'immutability', leakedRecords),
  sabotageModel('records that are kept as they are handed in', 'immutability', keptRecords),
  sabotageModel('a snapshot that sees what is written later', 'snapshots', store => ({
    snapshot: () => ({ read: (wave, options) => store.read(wave, options), close: () => undefined }),
  })),
  sabotageModel('snapshots that are declared and refused', 'snapshots', () => ({
    snapshot: () => Promise.reject(new Error('not supported')),
  })),
  sabotageModel('a snapshot that is forgotten after 20 writes', 'snapshots', forgottenSnapshots),
  sabotageModel('a snapshot of a long list that counts what is there now', 'snapshots', liveCounts),
  sabotageModel('duplicates that are answered once', 'waves', store => ({
    read: (wave, options) => store.read({ ...wave, nodes: wave.nodes.filter(isFirst) }, options),
  })),
  sabotageModel('duplicates that are answered in the first place alone', 'waves', store => ({
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
  sabotageModel('waves that end at 100 keys', 'waves', store => ({
    read: (wave, options) => store.read({ ...wave, tests: wave.tests.slice(0, MOST_KEYS) }, options),
  })),
  sabotageModel('one limit for all ranges of a wave', 'waves', store => ({
    read: (wave, options) => {
      const limit = wave.ranges[0]?.limit ?? 0
      return store.read({ ...wave, ranges: wave.ranges.map(range => ({ ...range, limit })) }, options)
    },
  })),
  sabotageModel('absence that is null', 'nodes', store => ({
    read: async (wave, options) => {
      const answer = await store.read(wave, options)
      return { ...answer, nodes: JSON.parse(JSON.stringify(answer.nodes)) }
    },
  })),
  sabotageModel('tests without regard to direction', 'tests', store => ({
    read: async (wave, options) => {
      const answer = await store.read(wave, options)
      const turned = wave.tests.map(({ source, name, target }) => ({ source: target, name, target: source }))
      const { tests } = await store.read({ ...wave, tests: turned }, options)
      return { ...answer, tests: answer.tests.map((test, index) => test || tests[index] === true) }
    },
  })),
  sabotageModel('the newest that is what a replica behind has', 'lifecycle', laggingReads),
  { name: 'a store that another one writes to', section: 'lifecycle', create: createShared() },
]
