/** Measures all paths in this process, which {@link file://./main.ts} starts, and prints what they take as JSON. */
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from '../../src/testing/count-reads.ts'
import { createPaths } from './paths.ts'
import { bytesOf, promisesOf, type Work } from './work.ts'

const counted = countReads(createMemoryStore())
const countedPaths = await createPaths(counted)
const taken: { [path: string]: Work } = {}
for (const [path, call] of Object.entries(await createPaths(createMemoryStore()))) {
  const bytes = await bytesOf(call)
  const promises = await promisesOf(call)
  counted.clear()
  await countedPaths[path]?.()
  taken[path] = { bytes, promises, reads: counted.reads.length }
}
console.log(JSON.stringify(taken))
