import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Row } from '../rows/row.ts'
import { type Finding, isMet } from './finding.ts'
import type { Surroundings } from './surroundings.ts'

/** A finding, and whether it clears its bar where it has one. */
export type MeasuredFinding = Finding & { readonly isMet?: boolean }

/** What came of a row, and of which run. */
export type MeasuredRow = {
  readonly title: string
  readonly command: string
  /** When it was measured, as ISO 8601. */
  readonly date: string
  readonly surroundings: Surroundings
  readonly findings: readonly MeasuredFinding[]
}

/** All that was measured at a commit, by any number of runs. */
export type Results = {
  readonly commit: string
  /** The names of all rows that there are, in their order. */
  readonly known: readonly string[]
  readonly rows: { readonly [name: string]: MeasuredRow }
}

export const resultsFile = (commit: string): string => `bench/results/${commit}.json`

/** @throws TypeError for a file of something else. */
export const readResults = (file: string): Results => {
  const results: Partial<Results> = JSON.parse(readFileSync(file, 'utf8'))
  const { commit, known, rows } = results
  if (commit === undefined || known === undefined || rows === undefined)
    throw new TypeError(`expected what the bench has measured, came ${file}`)
  return { commit, known, rows }
}

const measuredRow = (row: Row, surroundings: Surroundings, findings: readonly Finding[]): MeasuredRow => ({
  title: row.title,
  command: ['npm run bench --', row.name, ...(row.options ?? [])].join(' '),
  date: new Date().toISOString(),
  surroundings,
  findings: findings.map(finding => ({
    ...finding,
    ...(finding.bar && { isMet: isMet(finding, finding.bar) }),
  })),
})

/** Puts a row among those that the file already has, in the place of an older one. */
export const keepRow = (
  file: string,
  known: readonly string[],
  row: Row,
  surroundings: Surroundings,
  findings: readonly Finding[],
): void => {
  const rows = existsSync(file) ? readResults(file).rows : {}
  const results: Results = {
    commit: surroundings.commit,
    known,
    rows: { ...rows, [row.name]: measuredRow(row, surroundings, findings) },
  }
  mkdirSync(dirname(file), { recursive: true })
  // Nobody ever reads half a file.
  writeFileSync(`${file}.new`, `${JSON.stringify(results, undefined, 2)}\n`)
  renameSync(`${file}.new`, file)
}
