import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { defineTables } from '../tables/define-tables.ts'
import { deriveGraph } from '../tables/derive/derive-graph.ts'
import { printGraph } from '../tables/derive/print-graph.ts'
import { toDeclaration } from '../tables/derive/to-declaration.ts'
import type { DatabaseDescription } from '../tables/description/database-description.ts'
import { findDifferences } from '../tables/introspect/description-differences.ts'
import { printDescription } from '../tables/introspect/print-description.ts'
import type { CommandOf } from './arguments.ts'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './command-error.ts'
import { formatCount } from './format-count.ts'
import { formatDifference } from './format-difference.ts'
import { loadDescription } from './load-description.ts'
import { type OpenedTables, openTables } from './open-database.ts'

const EXIT_EQUAL = 0
const EXIT_DIFFERENT = 1

const DIFFERENCE = ['difference', 'differences'] as const
const TABLE = ['table', 'tables'] as const

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

/** @throws CommandError for a file in a folder that does not exist. */
const assertFolder = (file: string, folder: string): void => {
  if (!existsSync(dirname(resolve(folder, file))))
    throw new CommandError(`the folder of the file ${file} does not exist`)
}

/**
 * Checks the files before one of them is written.
 *
 * @throws CommandError if a file cannot be written, or the file of the graph exists, because it is the team's own.
 */
const assertNewFiles = (
  { outFile, graphFile }: Pick<CommandOf<'introspect'>, 'outFile' | 'graphFile'>,
  folder: string,
): void => {
  if (outFile !== undefined) assertFolder(outFile, folder)
  if (graphFile === undefined) return
  assertFolder(graphFile, folder)
  if (existsSync(resolve(folder, graphFile)))
    throw new CommandError(`the file ${graphFile} exists already, and a first graph is written only once`)
}

type WrittenFile = { readonly file: string; readonly text: string; readonly contents: string }

/** @throws TypeError if the first graph over the tables is not valid. */
const createGraphFile = (
  { graphFile, outFile = 'db.ts' }: { graphFile: string; outFile: string | undefined },
  { database, description }: OpenedTables,
  folder: string,
): WrittenFile => {
  const graph = deriveGraph(description, database.findTimeForm)
  const { types, options } = toDeclaration(graph)
  defineTables(description, types, options)
  return {
    file: graphFile,
    text: printGraph(graph, toImportPath(resolve(folder, outFile), resolve(folder, graphFile))),
    contents: formatCount(graph.types.length, ['type', 'types']),
  }
}

/** Writes a description, and a first graph over it. All errors are found before a file is written. */
const writeFiles = async (
  { outFile, graphFile }: CommandOf<'introspect'>,
  opened: OpenedTables,
  { folder, print }: CommandContext,
): Promise<void> => {
  const { description } = opened
  assertNewFiles({ outFile, graphFile }, folder)
  const count = Object.keys(description.tables).length
  const text = printDescription(description)
  const files: readonly WrittenFile[] = [
    ...(outFile === undefined ? [] : [{ file: outFile, text, contents: formatCount(count, TABLE) }]),
    ...(graphFile === undefined ? [] : [createGraphFile({ graphFile, outFile }, opened, folder)]),
  ]
  for (const { file, text, contents } of files) {
    await writeFile(resolve(folder, file), text)
    print(`wrote ${file}: ${contents}`)
  }
  if (files.length === 0) print(text.trimEnd())
}

/** Describes a database, or compares it with an earlier description. Returns the exit status. */
export const runIntrospect = async (
  given: CommandOf<'introspect'>,
  context: CommandContext,
): Promise<number> => {
  const { url, outFile, isChecked, selection } = given
  const opened = await openTables(url, context.folder, selection)
  try {
    if (isChecked && outFile !== undefined) return await runCheck(outFile, opened.description, context)
    if (Object.keys(opened.description.tables).length === 0)
      throw new CommandError('the database has no such tables')
    await writeFiles(given, opened, context)
    return EXIT_EQUAL
  } finally {
    await opened.database.close()
  }
}
