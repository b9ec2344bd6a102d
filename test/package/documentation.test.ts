import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Server } from 'node:net'
import { dirname, join, relative, resolve } from 'node:path'
import { format } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
/** A different folder for each process, so that two runs do not delete each other's files. */
const OUT = join(ROOT, 'test/.documentation', `${process.pid}`)

type Block = { readonly name: string; readonly file: string; readonly code: string }

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(ending))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !file.includes('docs/api'))

/**
 * Returns the code blocks of a page. A block that begins with the name of a file, such as `// schema.ts`,
 * becomes that file: the other blocks of the page import it as `./schema.ts`.
 */
const blocksOf = (file: string): Block[] => {
  const text = readFileSync(file, 'utf8')
  const isSource = file.endsWith('.ts')
  const folder = join(OUT, relative(ROOT, file).replaceAll(/[^a-z0-9]+/gi, '-'))
  return [...text.matchAll(/^( \* |\s+\* )?```ts\n([\s\S]*?)^\1?```/gm)].map((match, index) => {
    const prefix = /^\s*\* ?/
    const lines = (match[2] ?? '').split('\n').map(line => (isSource ? line.replace(prefix, '') : line))
    const fileName = /^\/\/ ([a-z-]+\.ts)$/.exec(lines[0] ?? '')?.[1] ?? `${index + 1}.ts`
    return {
      name: `${relative(ROOT, file)} ${index + 1}`,
      file: join(folder, fileName),
      code: `${lines.join('\n')}\nexport {}\n`,
    }
  })
}

/** Returns the output that the comments after the `console.log(…)` calls of a block expect. */
const collectPrintedComments = (code: string): string[] =>
  [...code.matchAll(/^\s*console\.log\(.*\) \/\/ (.*)$/gm)].map(match => match[1] ?? '')

/**
 * Makes servers listen on a free port instead of the port that a block names. `stop` closes these servers.
 */
const useFreePorts = (): { stop(): void } => {
  const { listen } = Server.prototype
  const servers: Server[] = []
  const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    servers.push(this)
    return listen.call(this, { port: 0, host: '127.0.0.1' })
  })
  return {
    stop() {
      spy.mockRestore()
      for (const server of servers) server.close()
    },
  }
}

const blocks = [join(ROOT, 'README.md'), ...filesIn('docs', '.md'), ...filesIn('src', '.ts')].flatMap(
  blocksOf,
)

describe('each example in the documentation', () => {
  beforeAll(() => {
    rmSync(OUT, { recursive: true, force: true })
    for (const { file, code } of blocks) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, code)
    }
  })
  afterAll(() => rmSync(OUT, { recursive: true, force: true }))

  it('compiles without errors', () => {
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
    const program = ts.createProgram(
      blocks.map(block => block.file),
      { ...options, noUnusedLocals: false },
    )
    const diagnostics = blocks.flatMap(block => {
      const source = program.getSourceFile(block.file)
      return ts
        .getPreEmitDiagnostics(program, source)
        .map(({ messageText }) => `${block.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
    })
    expect(diagnostics).toEqual([])
  })

  it.each(blocks)('runs, and prints the results in its comments: $name', async ({ file, code }) => {
    const printed: string[] = []
    const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      printed.push(format(...values))
    })
    const listening = useFreePorts()
    try {
      await import(file)
    } finally {
      log.mockRestore()
      listening.stop()
    }
    const comments = collectPrintedComments(code)
    if (comments.length > 0) expect(printed).toEqual(comments)
  })
})
