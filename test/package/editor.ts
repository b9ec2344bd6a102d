import { join } from 'node:path'
import ts from 'typescript'

/** Marks the cursor in code. */
const CURSOR = '▮'

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

/** Opens a TypeScript file in a folder, as editors do: with TypeScript's language service. */
export const openEditor = (folder: string, options: ts.CompilerOptions = OPTIONS) => {
  const file = join(folder, 'edited.mts')
  let text = ''
  let version = 0
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: name => (name === file ? `${version}` : ''),
    getScriptSnapshot: name => {
      const content = name === file ? text : ts.sys.readFile(name)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: name => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
  })
  const show = (code: string): void => {
    text = code
    version++
  }
  return {
    /** Returns the names that the editor offers at `▮`. */
    completions: (code: string): string[] => {
      show(code.replace(CURSOR, ''))
      const found = service.getCompletionsAtPosition(file, code.indexOf(CURSOR), {})
      return (found?.entries ?? []).map(({ name }) => name)
    },
    /** Returns the types that the editor shows for the names after each `▮`. */
    hovers: (code: string): string[] => {
      show(code.replaceAll(CURSOR, ''))
      const parts = code.split(CURSOR).slice(0, -1)
      return parts.map((_, index) => {
        const position = parts.slice(0, index + 1).join('').length
        return ts.displayPartsToString(service.getQuickInfoAtPosition(file, position)?.displayParts)
      })
    },
    /** Returns the messages of the errors that the editor underlines. */
    errors: (code: string): string[] => {
      show(code)
      return [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(
        ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
      )
    },
  }
}
