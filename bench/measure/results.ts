import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Row } from '../rows/row.ts'
import type { Environment } from './environment.ts'
import { type Finding, reachesBar } from './finding.ts'

/** A finding. If it has a target, `reachesBar` says whether it meets the target. */
export type MeasuredFinding = Finding & { readonly reachesBar?: boolean }

/** The findings of a row, and the run that measured them. */
export type MeasuredRow = {
  readonly title: string
  readonly command: string
  /** The time of the measurement, in ISO 8601. */
  readonly date: string
  readonly surroundings: Environment
  readonly findings: readonly MeasuredFinding[]
}

/** All measurements at a commit, from any number of runs. */
export type Results = {
  readonly commit: string
  /** The names of all existing rows, in the order in which the page shows them. */
  readonly known: readonly string[]
  readonly rows: { readonly [name: string]: MeasuredRow }
}

export const resultsPath = (commit: string): string => `bench/results/${commit}.json`

/**
 * Reads a file of results.
 *
 * @throws TypeError if the file does not contain bench results.
 */
export const readResults = (file: string): Results => {
  const results: Partial<Results> = JSON.parse(readFileSync(file, 'utf8'))
  const { commit, known, rows } = results
  if (commit === undefined || known === undefined || rows === undefined)
    throw new TypeError(`must be a file of bench results; received ${file}`)
  return { commit, known, rows }
}

const createMeasuredRow = (
  row: Row,
  surroundings: Environment,
  findings: readonly Finding[],
): MeasuredRow => ({
  title: row.title,
  command: ['npm run bench --', row.name, ...(row.options ?? [])].join(' '),
  date: new Date().toISOString(),
  surroundings,
  findings: findings.map(finding => ({
    ...finding,
    ...(finding.bar && { reachesBar: reachesBar(finding, finding.bar) }),
  })),
})

/** Adds a row to the file, or replaces the row with the same name. */
export const saveRow = (
  file: string,
  known: readonly string[],
  row: Row,
  surroundings: Environment,
  findings: readonly Finding[],
): void => {
  const rows = existsSync(file) ? readResults(file).rows : {}
  const results: Results = {
    commit: surroundings.commit,
    known,
    rows: { ...rows, [row.name]: createMeasuredRow(row, surroundings, findings) },
  }
  mkdirSync(dirname(file), { recursive: true })
  // Renames the file only when it is complete, so that no program reads a part of it.
  writeFileSync(`${file}.new`, `${JSON.stringify(results, undefined, 2)}\n`)
  renameSync(`${file}.new`, file)
}
