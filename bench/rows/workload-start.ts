import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { createToken, digestToken } from '../../src/access/token-family.ts'
import { createSocialData } from '../data/social-data.ts'
import type { Finding } from '../measure/finding.ts'
import { assertSameResults } from '../measure/same-results.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { temporaryFolder } from '../servers/temporary-folder.ts'
import type { StartInput } from '../start/start-types.ts'
import type { Row } from './row.ts'

const ROUNDS = 21
const PEOPLE = 300
const PARTS = ['import', 'initialization', 'first getMe', 'first query for 71 nodes']

const createInput = (): StartInput => {
  const data = createSocialData(PEOPLE)
  const [viewer = ''] = data.viewers
  const secret = 'the secret of the bench'
  const token = createToken(viewer, secret)
  return { data, viewer, token, digest: digestToken(token), secret }
}

/** The start of one process: the processor time of each part in milliseconds, and the results. */
type StartResult = { readonly times: readonly number[]; readonly answers: readonly unknown[] }

const totalTime = ({ times }: StartResult): number => times.reduce((sum, time) => sum + time, 0)

/**
 * Bundles both implementations with all imports. The result starts each implementation in its own process.
 */
const createStarter = async (folder: string): Promise<(name: string) => StartResult> => {
  await build({
    entryPoints: ['kithgraph', 'graphql', 'process'].map(name => `bench/start/${name}.ts`),
    bundle: true,
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    outdir: folder,
    logLevel: 'error',
  })
  const file = join(folder, 'given.json')
  await writeFile(file, JSON.stringify(createInput()))
  return name =>
    JSON.parse(
      execFileSync(process.execPath, [join(folder, 'process.mjs'), join(folder, `${name}.mjs`), file], {
        encoding: 'utf8',
      }),
    )
}

const createFindings = (name: string, starts: readonly StartResult[]): Finding[] =>
  PARTS.map((part, index) => ({
    label: `${name}, ${part}`,
    figure: spreadOf(starts.map(({ times }) => times[index] ?? Number.NaN)),
    unit: 'ms',
  }))

export const createStartRow = (shutdown: Shutdown): Row => ({
  name: 'workload-start',
  title: 'the start of a process: import, initialization, the first getMe and the first query for 71 nodes',
  async measure() {
    const start = await createStarter(temporaryFolder(shutdown))
    const pairs = Array.from({ length: ROUNDS }, () => [start('kithgraph'), start('graphql')] as const)
    const [ours, theirs] = [pairs.map(([mine]) => mine), pairs.map(([, other]) => other)]
    await assertSameResults(
      pairs,
      ['kithgraph', ([mine]) => mine.answers],
      ['graphql-js', ([, other]) => other.answers],
      'data',
    )
    const ratios = pairs.map(([mine, other]) => totalTime(other) / totalTime(mine))
    return [
      { label: 'kithgraph', figure: spreadOf(ours.map(totalTime)), unit: 'ms' },
      {
        label: 'graphql-js + DataLoader',
        figure: spreadOf(theirs.map(totalTime)),
        unit: 'ms',
        ratio: { spread: spreadOf(ratios), of: 'as fast' },
      },
      ...createFindings('kithgraph', ours),
      ...createFindings('graphql-js', theirs),
    ]
  },
})
