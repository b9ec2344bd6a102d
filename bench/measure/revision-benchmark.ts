import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import type { Shutdown } from '../servers/shutdown.ts'

/** Folders whose present content measures both revisions, since the benchmark itself must be the same. */
const SHARED_FOLDERS = ['bench', 'test', 'examples']

const git = (...words: string[]): void => {
  execFileSync('git', words, { stdio: ['ignore', 'ignore', 'inherit'] })
}

const checkOut = (revision: string, shutdown: Shutdown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'revision-'))
  git('worktree', 'add', '--detach', folder, revision)
  shutdown.add(() => git('worktree', 'remove', '--force', folder))
  for (const name of SHARED_FOLDERS) rmSync(join(folder, name), { recursive: true })
  for (const name of [...SHARED_FOLDERS, 'node_modules']) {
    symlinkSync(resolve(name), join(folder, name))
    // Removes the link first, so that removing the folder does not follow it.
    shutdown.add(() => unlinkSync(join(folder, name)))
  }
  return folder
}

/** A program, and the folder that it runs in. */
export type Benchmark = { readonly program: string; readonly folder: string }

/** Builds this benchmark over the library of another revision, in a folder that is removed at the end. */
export const buildAtRevision = async (revision: string, shutdown: Shutdown): Promise<Benchmark> => {
  const folder = checkOut(revision, shutdown)
  const program = join(folder, 'main.mjs')
  await build({
    absWorkingDir: folder,
    entryPoints: ['bench/main.ts'],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    // Otherwise the imports of the bench would resolve to the present library.
    preserveSymlinks: true,
  })
  return { program, folder }
}
