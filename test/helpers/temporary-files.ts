import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes this process and its child processes create their temporary files in one folder, which is removed
 * when the process ends. Servers may run as another user, so every user can enter the folder.
 */
export const isolateTemporaryFiles = (): void => {
  const path = mkdtempSync(join(tmpdir(), 'kithgraph-'))
  chmodSync(path, 0o755)
  process.env.TMPDIR = path
  // The removal is retried, because a server that is stopping may still write to the folder.
  process.once('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }))
}

/** The global setup of all tests. */
export const setup = isolateTemporaryFiles
