import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import { propertySettings } from '../property/property-settings.ts'
import { type DumpedStore, expectDerivedLists } from './derived-lists.ts'
import { chooseIdKinds } from './id-kinds.ts'
import { readDumpLines } from './read-dump-lines.ts'
import { histories, openDerivedGraph, withHistoryIds, writeHistory } from './write-histories.ts'

/**
 * Declares the laws of collections and orders on the stores that `create` creates. `ids` is the only kind of ids that
 * these stores have; by default, they have either kind.
 */
export const describeDerivedLists = (
  create: (ids: IdKind) => DumpedStore,
  runs: number,
  ids?: IdKind,
): void => {
  const cases = fc
    .tuple(chooseIdKinds(ids), histories)
    .map(([kind, history]) => ({ kind, history: withHistoryIds(kind, history) }))

  it('contain the nodes and edges of the store after any history of writes', async () => {
    let entryCount = 0
    await fc.assert(
      fc.asyncProperty(cases, async ({ kind, history }) => {
        const store = create(kind)
        const graph = openDerivedGraph(kind, store)
        await writeHistory(graph, history)
        entryCount += await expectDerivedLists(kind, store)
        await graph.close()
      }),
      propertySettings(runs),
    )
    expect(entryCount).toBeGreaterThan(runs * 5)
  })

  it('are not in a dump, and are equal after a load of the dump', () =>
    fc.assert(
      fc.asyncProperty(cases, async ({ kind, history }) => {
        const store = create(kind)
        const graph = openDerivedGraph(kind, store)
        await writeHistory(graph, history)
        const lines = await readDumpLines(store.dump())
        expect(lines.filter(line => line.includes('#') || line.includes('root'))).toEqual([])
        const loadedStore = create(kind)
        const loadedGraph = openDerivedGraph(kind, loadedStore)
        // In the reverse of their alphabetic order, nodes precede edges.
        await loadedGraph.load(lines.toReversed())
        await expectDerivedLists(kind, loadedStore)
        expect(await readDumpLines(loadedStore.dump())).toEqual(lines)
        await graph.close()
        await loadedGraph.close()
      }),
      propertySettings(Math.ceil(runs / 4)),
    ))
}
