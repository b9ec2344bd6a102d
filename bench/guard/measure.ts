/**
 * Measures all paths in this process, and prints their work as JSON. {@link file://./main.ts} starts the
 * process.
 */
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from '../../src/testing/count-reads.ts'
import { createPaths } from './paths.ts'
import { measureBytes, measurePromises, type Work } from './work.ts'

const countedStore = countReads(createMemoryStore())
const countedPaths = await createPaths(countedStore)
const measured: { [path: string]: Work } = {}
for (const [path, call] of Object.entries(await createPaths(createMemoryStore()))) {
  const bytes = await measureBytes(call)
  const promises = await measurePromises(call)
  countedStore.clear()
  await countedPaths[path]?.()
  measured[path] = { bytes, promises, reads: countedStore.reads.length }
}
console.log(JSON.stringify(measured))
