import { stat } from 'node:fs/promises'
import { SingleBar } from 'cli-progress'
import type { ArchiveGraph } from './graph.ts'
import { PASSES, readRecords } from './records.ts'

const MEGABYTE = 1e6

/**
 * The statistics of a load. `peakMegabytes` is the maximum memory of the process, measured after each batch.
 */
export type LoadReport = {
  readonly nodes: number
  readonly edges: number
  readonly seconds: number
  readonly recordsPerSecond: number
  readonly peakMegabytes: number
}

/** Loads an archive. Shows a progress bar if the output is a terminal. */
export const loadArchive = async ({ graph }: ArchiveGraph, path: string): Promise<LoadReport> => {
  const { size } = await stat(path)
  const bar = new SingleBar({ format: '{bar} {percentage} % · {records} records', hideCursor: true })
  let records = 0
  let peak = 0
  const started = performance.now()
  bar.start(size * PASSES, 0, { records })
  try {
    const source = readRecords(path, bytesRead => bar.update(bytesRead, { records }))
    const { nodes, edges } = await graph.load(source, {
      onProgress: progress => {
        records = progress.nodes + progress.edges
        peak = Math.max(peak, process.memoryUsage.rss())
      },
    })
    const seconds = (performance.now() - started) / 1000
    const recordsPerSecond = Math.round((nodes + edges) / seconds)
    return { nodes, edges, seconds, recordsPerSecond, peakMegabytes: Math.round(peak / MEGABYTE) }
  } finally {
    bar.stop()
  }
}
