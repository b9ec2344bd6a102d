import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The result of compiling some sources. */
export type CompileResult = {
  /** `line` counts from 1. */
  readonly errors: readonly { readonly file: string; readonly line: number; readonly text: string }[]
  /** The number of type instantiations for the sources and all their imports. */
  readonly instantiations: number
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the compiler options of the project. */
export const readOptions = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile)
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options
}

/** Returns the number of instantiations. The types of the compiler do not declare this method. */
const countInstantiations = (program: ts.Program): number => {
  const count: unknown = 'getInstantiationCount' in program && program.getInstantiationCount
  if (typeof count !== 'function') throw new Error('This compiler does not count instantiations')
  return Number(count.call(program))
}

/** Compiles texts as if they were files of this folder, with the options of the project. */
export const compile = (texts: { readonly [name: string]: string }): CompileResult => {
  const sources = new Map(
    Object.entries(texts).map(([name, text]) => [fileURLToPath(new URL(name, import.meta.url)), text]),
  )
  const options = readOptions()
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = path => sources.has(path) || fileExists(path)
  host.readFile = path => sources.get(path) ?? readFile(path)
  host.getSourceFile = (path, target, ...rest) => {
    const text = sources.get(path)
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target)
  }
  const program = ts.createProgram([...sources.keys()], options, host)
  const errors = [...sources.keys()].flatMap(path => {
    const source = program.getSourceFile(path)
    if (source === undefined) throw new Error(`The compiler does not find ${path}`)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ start = 0, messageText }) => ({
        file: basename(path),
        line: source.getLineAndCharacterOfPosition(start).line + 1,
        text: ts.flattenDiagnosticMessageText(messageText, '\n'),
      }),
    )
  })
  return { errors, instantiations: countInstantiations(program) }
}
