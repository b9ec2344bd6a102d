/**
 * Measures the first reads of this process with the module in the first argument, and prints times and
 * results.
 */
import { readFile } from 'node:fs/promises'
import { workDone } from '../measure/work-done.ts'
import type { Prepare } from './start-types.ts'

const [file = '', given = ''] = process.argv.slice(2)

const timed = async <TResult>(work: () => TResult): Promise<[Awaited<TResult>, number]> => {
  const started = workDone()
  const result = await work()
  return [result, workDone() - started]
}

const [{ prepare }, loaded] = await timed((): Promise<{ prepare: Prepare }> => import(file))
const begin = await prepare(JSON.parse(await readFile(given, 'utf8')))
const [{ getMe, getPhotos }, begun] = await timed(begin)
const [me, first] = await timed(getMe)
const [photos, second] = await timed(getPhotos)
console.log(JSON.stringify({ times: [loaded, begun, first, second], answers: [me, photos] }))
