import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Has all temporary files of this process, of those that it starts and of their servers made in one folder, which goes
 * whichever way the process ends. Servers may run as users of their own, who have to pass through it.
 */
export const holdTemporaryFiles = (): void => {
  const path = mkdtempSync(join(tmpdir(), 'kithgraph-'))
  chmodSync(path, 0o755)
  process.env.TMPDIR = path
  // A server that is being stopped may still write into it.
  process.once('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }))
}

/** What the test runner calls before any test. */
export const setup = holdTemporaryFiles
