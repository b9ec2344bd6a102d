import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { PROJECT } from './run-cli.ts'

/**
 * Generates the Prisma client of the example, as a reader does. Prisma would download an engine for migrations, which
 * `generate` does not run, so any program can take its place.
 */
export const generatePrismaClient = async (): Promise<void> => {
  const command = ['prisma', 'generate', '--config', 'examples/existing-database/prisma/prisma.config.ts']
  await promisify(execFile)('npx', command, {
    cwd: PROJECT,
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
  })
}
