import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOURCE = join(import.meta.dirname, 'clock-offset.c')

/** Whether this machine can run processes with another clock, which needs a C compiler and Linux. */
export const canOffsetClocks = (): boolean =>
  process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

/** Returns the environment of a Redis server whose clock differs by a number of seconds. */
export const createClockEnvironment = (seconds: number): Readonly<Record<string, string>> => {
  if (seconds === 0) return {}
  const library = join(mkdtempSync(join(tmpdir(), 'clock-')), 'clock-offset.so')
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, SOURCE], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`another clock needs Linux and a C compiler: ${stderr}`)
  return { LD_PRELOAD: library, CLOCK_OFFSET: `${seconds}` }
}
