import { cpSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

const SOURCES = resolve(import.meta.dirname, 'exported')

/**
 * Compiles the exports of `test/package/exported` in a project, with the option `declaration` that `tsc --init` sets.
 * Returns the errors: one for each inferred type that the declarations of the project cannot name.
 */
export const emitDeclarations = (project: string): readonly string[] => {
  const folder = join(project, 'exported')
  cpSync(SOURCES, folder, { recursive: true })
  const program = ts.createProgram(
    readdirSync(folder).map(name => join(folder, name)),
    {
      strict: true,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: join(project, 'declarations'),
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      types: [],
      skipLibCheck: true,
    },
  )
  const { diagnostics } = program.emit()
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}
