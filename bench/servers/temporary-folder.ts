import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Shutdown } from './shutdown.ts'

/** Creates a folder that is removed at the end. */
export const temporaryFolder = (shutdown: Shutdown): string => {
  const path = mkdtempSync(join(tmpdir(), 'row-'))
  shutdown.add(() => rmSync(path, { recursive: true, force: true }))
  return path
}
