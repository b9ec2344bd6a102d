import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { isNonArrayObject } from '../base/json.ts'
import { deriveGraph } from '../tables/derive/derive-graph.ts'
import type { DerivedGraph } from '../tables/derive/derived-graph.ts'
import { printGraph } from '../tables/derive/print-graph.ts'
import type { DatabaseDescription } from '../tables/description/database-description.ts'
import { type DescriptionDifference, findDifferences } from '../tables/introspect/description-differences.ts'
import { printDescription } from '../tables/introspect/print-description.ts'
import type { CommandOf } from './arguments.ts'
import { formatCount } from './check-report.ts'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './command-error.ts'
import { loadDescription } from './load-description.ts'
import { openTables } from './open-database.ts'
import { escapeText } from './safe-text.ts'

const EXIT_EQUAL = 0
const EXIT_DIFFERENT = 1

const DIFFERENCE = ['difference', 'differences'] as const
const TABLE = ['table', 'tables'] as const

/** Formats a difference for a line of output. */
export const formatDifference = ({ kind, part, before, after }: DescriptionDifference): string => {
  const details = [
    before && (after ? `from ${before}` : `was ${before}`),
    after && (before ? `to ${after}` : after),
  ]
  return escapeText(`${kind}: ${[part, ...details].filter(Boolean).join(' ')}`)
}

/** Prints the differences between the file and the database. Returns the exit status. */
const runCheck = async (
  file: string,
  description: DatabaseDescription,
  { folder, print }: CommandContext,
): Promise<number> => {
  const written = await loadDescription(file, folder)
  if (written.dialect !== description.dialect)
    throw new CommandError(
      `the file ${file} describes a database of ${written.dialect}, not of ${description.dialect}`,
    )
  const differences = findDifferences(written, description)
  for (const difference of differences) print(formatDifference(difference))
  const result = differences.length === 0 ? 'no differences' : formatCount(differences.length, DIFFERENCE)
  print(`compared ${file} with ${formatCount(Object.keys(description.tables).length, TABLE)}: ${result}`)
  return differences.length === 0 ? EXIT_EQUAL : EXIT_DIFFERENT
}

/** Returns the path of a file in the import of another one. */
const toImportPath = (file: string, importingFile: string): string => {
  const path = relative(dirname(importingFile), file).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

/** Writes a first graph. @throws CommandError if the file exists, because it is the team's own. */
const writeGraph = async (
  { graphFile, outFile = 'db.ts' }: { graphFile: string; outFile: string | undefined },
  graph: DerivedGraph,
  { folder, print }: CommandContext,
): Promise<void> => {
  const path = resolve(folder, graphFile)
  const text = printGraph(graph, toImportPath(resolve(folder, outFile), path))
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (cause) {
    if (!isNonArrayObject(cause) || cause.code !== 'EEXIST') throw cause
    throw new CommandError(`the file ${graphFile} exists already, and a first graph is written only once`)
  }
  print(`wrote ${graphFile}: ${formatCount(graph.types.length, ['type', 'types'])}`)
}

/** Describes a database, or compares it with an earlier description. Returns the exit status. */
export const runIntrospect = async (
  { url, outFile, graphFile, isChecked, selection }: CommandOf<'introspect'>,
  context: CommandContext,
): Promise<number> => {
  const { folder, print } = context
  const { database, description } = await openTables(url, folder, selection)
  try {
    if (isChecked && outFile !== undefined) return await runCheck(outFile, description, context)
    const tableCount = Object.keys(description.tables).length
    if (tableCount === 0) throw new CommandError('the database has no such tables')
    const text = printDescription(description)
    if (outFile !== undefined) {
      await writeFile(resolve(folder, outFile), text)
      print(`wrote ${outFile}: ${formatCount(tableCount, TABLE)}`)
    } else if (graphFile === undefined) print(text.trimEnd())
    if (graphFile !== undefined) {
      const graph = deriveGraph(description, database.findTimeForm)
      await writeGraph({ graphFile, outFile }, graph, context)
    }
    return EXIT_EQUAL
  } finally {
    await database.close()
  }
}
