import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import type { Shutdown } from '../servers/shutdown.ts'

/**
 * Folders whose current content measures both revisions, so that both run the same benchmark.
 */
const SHARED_FOLDERS = ['bench', 'test', 'examples']

const git = (...words: string[]): void => {
  execFileSync('git', words, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Links a folder of this project into another folder. The link is removed before the other folder. */
const link = (name: string, folder: string, shutdown: Shutdown): void => {
  symlinkSync(resolve(name), join(folder, name))
  shutdown.add(() => rmSync(join(folder, name), { force: true }))
}

const checkOut = (revision: string, shutdown: Shutdown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'revision-'))
  git('worktree', 'add', '--detach', folder, revision)
  shutdown.add(() => git('worktree', 'remove', '--force', folder))
  link('node_modules', folder, shutdown)
  return folder
}

/** A benchmark program, and the folder that it runs in. */
export type Benchmark = { readonly program: string; readonly folder: string }

const buildIn = async (folder: string): Promise<Benchmark> => {
  const program = join(folder, 'main.mjs')
  await build({
    absWorkingDir: folder,
    entryPoints: ['bench/main.ts'],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    // Without this option, the imports of the bench would resolve to the current library.
    preserveSymlinks: true,
  })
  return { program, folder }
}

/**
 * Builds this benchmark with the library of another revision, in a folder that is removed at the end. If this
 * benchmark imports files that the revision does not have, builds the revision's own benchmark instead.
 */
export const buildAtRevision = async (revision: string, shutdown: Shutdown): Promise<Benchmark> => {
  const folder = checkOut(revision, shutdown)
  const sharedFolder = checkOut(revision, shutdown)
  for (const name of SHARED_FOLDERS) {
    rmSync(join(sharedFolder, name), { recursive: true })
    link(name, sharedFolder, shutdown)
  }
  try {
    return await buildIn(sharedFolder)
  } catch {
    console.log('the current benchmark does not build with that revision, so its own benchmark measures it')
    return buildIn(folder)
  }
}
