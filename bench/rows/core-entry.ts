import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'tsup'
import { spreadOf } from '../measure/statistics.ts'
import type { Row } from './row.ts'

const IMPORTS = 21

/** Bundles the main entry point with all its imports, as an application would. */
const bundleInto = (outDir: string): Promise<void> =>
  build({
    entry: { index: 'src/index.ts' },
    outDir,
    config: false,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    noExternal: [/.*/],
    minify: true,
    silent: true,
  })

const gzipSize = async (folder: string): Promise<number> => {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map(name => readFile(join(folder, name))))
  return texts.reduce((size, text) => size + gzipSync(text, { level: 9 }).length, 0)
}

/** Returns the processor time of an import in a separate process, in milliseconds. */
const importTime = (file: string): number => {
  const script = `
    const workDone = () => process.cpuUsage().user + process.cpuUsage().system
    const started = workDone()
    await import(${JSON.stringify(pathToFileURL(file).href)})
    console.log((workDone() - started) / 1000)`
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }),
  )
}

export const createCoreEntryRow = (): Row => ({
  name: 'entry',
  title: 'the main entry point with its dependencies, minified',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'kithgraph-bench-'))
    try {
      await bundleInto(folder)
      const kilobytes = (await gzipSize(folder)) / 1000
      const times = Array.from({ length: IMPORTS }, () => importTime(join(folder, 'index.js')))
      return [
        { label: 'size after gzip', figure: spreadOf([kilobytes]), unit: 'KB', bar: { max: 20 } },
        { label: 'import', figure: spreadOf(times), unit: 'ms', bar: { max: 10 } },
      ]
    } finally {
      await rm(folder, { recursive: true })
    }
  },
})
