import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { newToken, tokenKey } from '../../src/access/token-text.ts'
import { createSocialData } from '../data/social-data.ts'
import type { Finding } from '../measure/finding.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { temporaryFolder } from '../servers/temporary-folder.ts'
import type { Given } from '../start/starting.ts'
import type { Row } from './row.ts'

const ROUNDS = 21
const PEOPLE = 300
const PARTS = ['import', 'begin', 'first getMe', 'first read of 71 nodes']

const given = (): Given => {
  const data = createSocialData(PEOPLE)
  const [viewer = ''] = data.viewers
  const secret = 'the secret of the bench'
  const token = newToken(viewer, secret)
  return { data, viewer, token, digest: tokenKey(token), secret }
}

/** One start of a process: milliseconds of its work for each part. */
type Start = { readonly times: readonly number[]; readonly answers: readonly unknown[] }

const totalOf = ({ times }: Start): number => times.reduce((sum, time) => sum + time, 0)

/** Bundles both with all that they import, and starts either in a process of its own. */
const createStarter = async (folder: string): Promise<(name: string) => Start> => {
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
  await writeFile(file, JSON.stringify(given()))
  return name =>
    JSON.parse(
      execFileSync(process.execPath, [join(folder, 'process.mjs'), join(folder, `${name}.mjs`), file], {
        encoding: 'utf8',
      }),
    )
}

const partsOf = (name: string, starts: readonly Start[]): Finding[] =>
  PARTS.map((part, index) => ({
    label: `${name}, ${part}`,
    figure: spreadOf(starts.map(({ times }) => times[index] ?? Number.NaN)),
    unit: 'ms',
  }))

export const createStartRow = (shutdown: Shutdown): Row => ({
  name: 'workload-start',
  title: 'the first reads of a process: import, begin, getMe and 71 nodes, each bundled',
  async measure() {
    const start = await createStarter(temporaryFolder(shutdown))
    const pairs = Array.from({ length: ROUNDS }, () => [start('kithgraph'), start('graphql')] as const)
    const [ours, theirs] = [pairs.map(([mine]) => mine), pairs.map(([, other]) => other)]
    await assertSameAnswers(
      pairs,
      ['kithgraph', ([mine]) => mine.answers],
      ['graphql-js', ([, other]) => other.answers],
      'data',
    )
    const ratios = pairs.map(([mine, other]) => totalOf(other) / totalOf(mine))
    return [
      { label: 'kithgraph', figure: spreadOf(ours.map(totalOf)), unit: 'ms' },
      {
        label: 'graphql-js + DataLoader',
        figure: spreadOf(theirs.map(totalOf)),
        unit: 'ms',
        ratio: { spread: spreadOf(ratios), of: 'as fast' },
      },
      ...partsOf('kithgraph', ours),
      ...partsOf('graphql-js', theirs),
    ]
  },
})
