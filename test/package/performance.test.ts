import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compareRows } from '../../bench/measure/change.ts'
import type { Environment } from '../../bench/measure/environment.ts'
import type { Finding } from '../../bench/measure/finding.ts'
import { type Results, readResults, saveRow } from '../../bench/measure/results.ts'
import { renderPerformancePage } from '../../scripts/performance/page.ts'
import { createPlots } from '../../scripts/performance/plots.ts'

const DOCS = resolve(import.meta.dirname, '../../docs')

const SURROUNDINGS: Environment = {
  machine: 'a small machine',
  node: 'v20.0.0',
  versions: ['graphql 16.0.0'],
  commit: 'abcd1234',
  isChanged: false,
}

const createSpread = (median: number) => ({ low: median * 0.9, median, high: median * 1.1 })

const ME: Finding[] = [
  { label: 'kithgraph', figure: createSpread(5), unit: 'µs' },
  {
    label: 'graphql-js',
    figure: createSpread(30),
    unit: 'µs',
    ratio: { spread: createSpread(6), of: 'as fast' },
    bar: { min: 5 },
  },
  {
    label: 'code by hand',
    figure: createSpread(2),
    unit: 'µs',
    ratio: { spread: createSpread(2.5), of: 'as long' },
    bar: { max: 2 },
  },
]

const GROWTH: Finding[] = [1000, 10_000].flatMap(at => [
  { label: `page, ${at}`, figure: createSpread(20), unit: 'µs', plotPoint: { line: 'a page', at } },
  { label: `71 nodes, ${at}`, figure: createSpread(40), unit: 'µs', plotPoint: { line: '71 <nodes>', at } },
])

const createRow = (name: string) => ({ name, title: `what ${name} is`, measure: async () => [] })
const KNOWN = ['me', 'growth', 'http']

const folder = mkdtempSync(join(tmpdir(), 'results-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the content of a results file after two runs at one commit. */
const createResults = (): Results => {
  const file = join(folder, 'results.json')
  saveRow(file, KNOWN, createRow('growth'), SURROUNDINGS, GROWTH)
  saveRow(file, KNOWN, createRow('me'), SURROUNDINGS, ME)
  return readResults(file)
}

const renderPage = (results: Results): string =>
  renderPerformancePage(results, 'bench/results/abcd1234.json', createPlots(results), '## A remark')

describe('the file of bench results', () => {
  it('keeps only the last run of each benchmark', () => {
    const file = join(folder, 'merged.json')
    for (const figure of [5, 6])
      saveRow(file, KNOWN, createRow('me'), SURROUNDINGS, [
        { label: 'a', figure: createSpread(figure), unit: 'µs' },
      ])
    saveRow(file, KNOWN, createRow('http'), SURROUNDINGS, [])
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

  it('records whether each performance target is reached', () => {
    expect(createResults().rows.me?.findings.map(finding => finding.reachesBar)).toEqual([
      undefined,
      true,
      false,
    ])
  })

  it('is rejected if it does not contain bench results', () => {
    expect(() => readResults(resolve(DOCS, '../package.json'))).toThrow(TypeError)
  })
})

describe('the bench results of two revisions', () => {
  it('are compared within each pair of runs, so that a slow pair does not change the ratio', () => {
    const run = (median: number, index: number) => {
      const file = join(folder, `pair-${index}-${median}.json`)
      saveRow(file, KNOWN, createRow('me'), SURROUNDINGS, [
        { label: 'a', figure: createSpread(median), unit: 'µs' },
      ])
      return readResults(file).rows
    }
    const [change] = compareRows('me', [20, 40, 400].map(run), [10, 20, 200].map(run))
    expect(change).toMatchObject({
      label: 'a',
      old: { median: 40 },
      now: { median: 20 },
      ratio: { low: 2, median: 2, high: 2 },
    })
  })
})

describe('the page made from bench results', () => {
  it('shows which performance targets are reached, and by how much the others are missed', () => {
    const targets = renderPage(createResults()).split('## Targets')[1]
    expect(targets).toContain(
      '| [A small query](#a-small-query) | at least 5 × as fast as "graphql-js" | 6.00 × | met |',
    )
    expect(targets).toContain(
      '| [A small query](#a-small-query) | at most 2 × as long as "code by hand" | 2.50 × | **not met**, by 25 % |',
    )
  })

  it('shows each figure with its quartiles, and what it is compared with', () => {
    const page = renderPage(createResults())
    expect(page).toContain(
      '| graphql-js | 30.0 µs (27.0–33.0) | kithgraph is **6.00 ×** as fast (5.40–6.60) |',
    )
    expect(page).toContain(
      '| code by hand | 2.00 µs (1.80–2.20) | kithgraph takes **2.50 ×** as long (2.25–2.75) |',
    )
  })

  it('begins with the most important figures and the plot of the graph size', () => {
    const [beginning] = renderPage(createResults()).split('## A remark')
    expect(beginning).toContain('- **A small query takes 5.00 µs.**')
    expect(beginning).toContain('(images/performance-growth.svg)')
  })

  it('leaves out a figure at the beginning if its row was not measured', () => {
    const [beginning] = renderPage({ ...createResults(), rows: {} }).split('## A remark')
    expect(beginning).not.toContain('- **')
    expect(beginning).not.toContain('undefined')
  })

  it('shows the machine, versions, commit, commands, and rows that were not measured', () => {
    const page = renderPage(createResults())
    for (const said of ['a small machine', 'v20.0.0', 'graphql 16.0.0', '`abcd1234`', '## A remark'])
      expect(page).toContain(said)
    expect(page).toContain('`npm run bench -- me`')
    expect(page).toContain('not measured at this commit: `http`.')
    expect(page).not.toContain('uncommitted changes')
  })

  it('shows whether the code had changes since the commit', () => {
    const results = createResults()
    const { me } = results.rows
    if (me === undefined) throw new Error('expected a row')
    const rows = { me: { ...me, surroundings: { ...SURROUNDINGS, isChanged: true } } }
    expect(renderPage({ ...results, rows })).toContain('| measured with uncommitted changes | `me` |')
  })

  it('shows a plot with a line for each read, in light and in dark', () => {
    const [plot, ...others] = createPlots(createResults())
    expect(others).toEqual([])
    expect(plot?.svg.match(/<polyline/g)).toHaveLength(2)
    expect(plot?.svg).toContain('71 &lt;nodes&gt;')
    expect(plot?.svg).toContain('prefers-color-scheme: dark')
    expect(renderPage(createResults())).toContain(`(${plot?.file})`)
  })
})

describe('docs/performance.md', () => {
  const page = readFileSync(join(DOCS, 'performance.md'), 'utf8')
  const commit = /from `bench\/results\/([0-9a-f]+)\.json`/.exec(page)?.[1]

  it('names its results file and the commit of the measurement', () => {
    expect(commit).toBeDefined()
    expect(page).toContain(`commit \`${commit}\``)
  })

  it('begins with three figures and a plot', () => {
    const [beginning] = page.split('\n## ')
    expect(beginning?.match(/^- \*\*.* takes .*\*\*/gm)).toHaveLength(3)
    expect(beginning?.match(/^!\[.+\]\(images\/.+\.svg\)$/gm)).toHaveLength(1)
  })

  it.each(['growth', 'width'])('shows the plot of %s from the results of the same commit', name => {
    expect(page).toContain(`(images/performance-${name}.svg)`)
    const svg = readFileSync(join(DOCS, `images/performance-${name}.svg`), 'utf8')
    expect(svg).toContain(`commit ${commit}.`)
  })
})
