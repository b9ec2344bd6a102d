import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { changesOf } from '../../bench/measure/change.ts'
import type { Finding } from '../../bench/measure/finding.ts'
import { keepRow, type Results, readResults } from '../../bench/measure/results.ts'
import type { Surroundings } from '../../bench/measure/surroundings.ts'
import { performancePage } from '../../scripts/performance/page.ts'
import { plotsOf } from '../../scripts/performance/plots.ts'

const DOCS = resolve(import.meta.dirname, '../../docs')

const SURROUNDINGS: Surroundings = {
  machine: 'a small machine',
  node: 'v20.0.0',
  versions: ['graphql 16.0.0'],
  commit: 'abcd1234',
  isChanged: false,
}

const spread = (median: number) => ({ low: median * 0.9, median, high: median * 1.1 })

const ME: Finding[] = [
  { label: 'kithgraph', figure: spread(5), unit: 'µs' },
  {
    label: 'graphql-js',
    figure: spread(30),
    unit: 'µs',
    ratio: { spread: spread(6), of: 'as fast' },
    bar: { atLeast: 5 },
  },
  {
    label: 'code by hand',
    figure: spread(2),
    unit: 'µs',
    ratio: { spread: spread(2.5), of: 'as long' },
    bar: { atMost: 2 },
  },
]

const GROWTH: Finding[] = [1000, 10_000].flatMap(at => [
  { label: `page, ${at}`, figure: spread(20), unit: 'µs', drawn: { line: 'a page', at } },
  { label: `71 nodes, ${at}`, figure: spread(40), unit: 'µs', drawn: { line: '71 <nodes>', at } },
])

const rowOf = (name: string) => ({ name, title: `what ${name} is`, measure: async () => [] })
const KNOWN = ['me', 'growth', 'http']

const folder = mkdtempSync(join(tmpdir(), 'results-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What two runs at one commit leave in a file. */
const measured = (): Results => {
  const file = join(folder, 'results.json')
  keepRow(file, KNOWN, rowOf('growth'), SURROUNDINGS, GROWTH)
  keepRow(file, KNOWN, rowOf('me'), SURROUNDINGS, ME)
  return readResults(file)
}

const pageOf = (results: Results): string =>
  performancePage(results, 'bench/results/abcd1234.json', plotsOf(results), '## A remark')

describe('the file of what the bench has measured', () => {
  it('keeps the rows of several runs, the later one of each', () => {
    const file = join(folder, 'merged.json')
    for (const figure of [5, 6])
      keepRow(file, KNOWN, rowOf('me'), SURROUNDINGS, [{ label: 'a', figure: spread(figure), unit: 'µs' }])
    keepRow(file, KNOWN, rowOf('http'), SURROUNDINGS, [])
    const { commit, rows } = readResults(file)
    expect(commit).toBe('abcd1234')
    expect(Object.keys(rows)).toEqual(['me', 'http'])
    expect(rows.me).toMatchObject({
      title: 'what me is',
      command: 'npm run bench -- me',
      surroundings: SURROUNDINGS,
      findings: [{ label: 'a', figure: { median: 6 } }],
    })
  })

  it('says of each bar whether it is met', () => {
    expect(measured().rows.me?.findings.map(finding => finding.isMet)).toEqual([undefined, true, false])
  })

  it('is told from other files', () => {
    expect(() => readResults(resolve(DOCS, '../package.json'))).toThrow(TypeError)
  })
})

describe('what two revisions have measured', () => {
  it('is divided within each pair, so that what slows a pair down changes no ratio', () => {
    const run = (median: number, index: number) => {
      const file = join(folder, `pair-${index}-${median}.json`)
      keepRow(file, KNOWN, rowOf('me'), SURROUNDINGS, [{ label: 'a', figure: spread(median), unit: 'µs' }])
      return readResults(file).rows
    }
    const [change] = changesOf('me', [20, 40, 400].map(run), [10, 20, 200].map(run))
    expect(change).toMatchObject({
      label: 'a',
      old: { median: 40 },
      now: { median: 20 },
      ratio: { low: 2, median: 2, high: 2 },
    })
  })
})

describe('the page made from it', () => {
  it('says by how much each bar is met or missed', () => {
    const page = pageOf(measured())
    expect(page).toContain(
      '| kithgraph | graphql-js | ≥ 5 × as fast | **6.00 ×** as fast (5.40–6.60) | met, 20 % above |',
    )
    expect(page).toContain(
      '| kithgraph | code by hand | ≤ 2 × as long | takes **2.50 ×** as long (2.25–2.75) | **not met**, 25 % above |',
    )
  })

  it('names machine, versions, commit, commands, and what was not measured', () => {
    const page = pageOf(measured())
    for (const said of ['a small machine', 'v20.0.0', 'graphql 16.0.0', '`abcd1234`', '## A remark'])
      expect(page).toContain(said)
    expect(page).toContain('`npm run bench -- me`')
    expect(page).toContain('Not measured at this commit: `http`;')
    expect(page).not.toContain('with changes')
  })

  it('owns up to changes since the commit', () => {
    const results = measured()
    const { me } = results.rows
    if (me === undefined) throw new Error('expected a row')
    const rows = { me: { ...me, surroundings: { ...SURROUNDINGS, isChanged: true } } }
    expect(pageOf({ ...results, rows })).toContain('| with changes since that commit | `me` |')
  })

  it('shows a plot with a line for each read, in light and in dark', () => {
    const [plot, ...others] = plotsOf(measured())
    expect(others).toEqual([])
    expect(plot?.svg.match(/<polyline/g)).toHaveLength(2)
    expect(plot?.svg).toContain('71 &lt;nodes&gt;')
    expect(plot?.svg).toContain('prefers-color-scheme: dark')
    expect(pageOf(measured())).toContain(`(${plot?.file})`)
  })
})

describe('docs/performance.md', () => {
  const page = readFileSync(join(DOCS, 'performance.md'), 'utf8')
  const commit = /from `bench\/results\/([0-9a-f]+)\.json`/.exec(page)?.[1]

  it('names the file and the commit that it was made from', () => {
    expect(commit).toBeDefined()
    expect(page).toContain(`commit \`${commit}\``)
  })

  it.each(['growth', 'width'])('shows the plot of %s, made from the same file', name => {
    expect(page).toContain(`(images/performance-${name}.svg)`)
    const svg = readFileSync(join(DOCS, `images/performance-${name}.svg`), 'utf8')
    expect(svg).toContain(`commit ${commit}.`)
  })
})
