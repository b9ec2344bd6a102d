import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'

const LIBRARIES = ['graphql', 'graphql-jit', 'dataloader', 'tinybench']

const versionOf = async (library: string): Promise<string> => {
  const text = await readFile(new URL(`../../node_modules/${library}/package.json`, import.meta.url), 'utf8')
  const { version }: { version?: string } = JSON.parse(text)
  return `${library} ${version}`
}

const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()

const commit = (): string => {
  const changed = git('status', '--porcelain', '--', 'src', 'bench') === '' ? '' : ', with changes since'
  return `${git('rev-parse', '--short', 'HEAD')}${changed}`
}

/** What the figures of a run depend on, as lines. */
export const describeSurroundings = async (): Promise<string[]> => {
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`
  const libraries = await Promise.all(LIBRARIES.map(versionOf))
  return [
    `machine  ${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, ${memory}`,
    `node     ${process.version}, ${process.platform} ${process.arch}`,
    `peers    ${libraries.join(', ')}`,
    `commit   ${commit()}`,
  ]
}
