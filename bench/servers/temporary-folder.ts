import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Shutdown } from './shutdown.ts'

/**
 * Has all temporary files of this process and its servers made in one folder, which goes whichever way the process
 * ends. Servers may run as users of their own, who have to pass through it.
 */
export const holdTemporaryFiles = (): void => {
  const path = mkdtempSync(join(tmpdir(), 'kithgraph-bench-'))
  chmodSync(path, 0o755)
  process.env.TMPDIR = path
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
}

/** A folder that is gone afterwards. */
export const temporaryFolder = (shutdown: Shutdown): string => {
  const path = mkdtempSync(join(tmpdir(), 'row-'))
  shutdown.add(() => rmSync(path, { recursive: true, force: true }))
  return path
}
