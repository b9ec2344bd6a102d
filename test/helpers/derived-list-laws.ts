import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertySettings } from '../property/property-settings.ts'
import { type DumpedStore, expectDerivedLists } from './derived-lists.ts'
import { readDumpLines } from './read-dump-lines.ts'
import { histories, openDerivedGraph, writeHistory } from './write-histories.ts'

/** Declares the laws of collections and orders on the stores that `create` creates. */
export const describeDerivedLists = (create: () => DumpedStore, runs: number): void => {
  it('contain the nodes and edges of the store after any history of writes', async () => {
    let entryCount = 0
    await fc.assert(
      fc.asyncProperty(histories, async history => {
        const store = create()
        const graph = openDerivedGraph(store)
        await writeHistory(graph, history)
        entryCount += await expectDerivedLists(store)
        await graph.close()
      }),
      propertySettings(runs),
    )
    expect(entryCount).toBeGreaterThan(runs * 5)
  })

  it('are not in a dump, and are equal after a load of the dump', () =>
    fc.assert(
      fc.asyncProperty(histories, async history => {
        const store = create()
        const graph = openDerivedGraph(store)
        await writeHistory(graph, history)
        const lines = await readDumpLines(store.dump())
        expect(lines.filter(line => line.includes('#') || line.includes('root'))).toEqual([])
        const loadedStore = create()
        const loadedGraph = openDerivedGraph(loadedStore)
        // In the reverse of their alphabetic order, nodes precede edges.
        await loadedGraph.load(lines.toReversed())
        await expectDerivedLists(loadedStore)
        expect(await readDumpLines(loadedStore.dump())).toEqual(lines)
        await graph.close()
        await loadedGraph.close()
      }),
      propertySettings(Math.ceil(runs / 4)),
    ))
}
