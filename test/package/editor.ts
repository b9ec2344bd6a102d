import { join } from 'node:path'
import ts from 'typescript'

/** Where the cursor is in code. */
const CURSOR = '▮'

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

/** What an editor shows of a TypeScript file in a folder, by the service that editors ask. */
export const openEditor = (folder: string) => {
  const file = join(folder, 'edited.mts')
  let text = ''
  let version = 0
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => `${version}`,
    getScriptSnapshot: name => {
      const content = name === file ? text : ts.sys.readFile(name)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => OPTIONS,
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
    /** The names that are offered where `▮` stands. */
    completions: (code: string): string[] => {
      show(code.replace(CURSOR, ''))
      const found = service.getCompletionsAtPosition(file, code.indexOf(CURSOR), {})
      return (found?.entries ?? []).map(({ name }) => name)
    },
    /** What is underlined, in the words that are shown beside it. */
    errors: (code: string): string[] => {
      show(code)
      return [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(
        ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
      )
    },
  }
}
