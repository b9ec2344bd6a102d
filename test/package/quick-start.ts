// Follows the quick start from an empty folder with the packed package.
// Run it with `npx tsx` after `npm run build`.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { startServer } from '../helpers/start-server.ts'
import { openEditor } from './editor.ts'
import { emitDeclarations } from './emit-declarations.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const run = (folder: string, command: string, ...input: string[]): string =>
  execFileSync(command, input, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const installPacked = (folder: string): void => {
  const flags = ['--ignore-scripts', '--json', '--pack-destination', folder]
  const [packed] = JSON.parse(run(ROOT, 'npm', 'pack', ...flags))
  run(folder, 'npm', 'init', '-y')
  run(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${packed.filename}`)
}

/** Returns the output that the comments after the `console.log(…)` calls of a block expect. */
const collectPrintedComments = (code: string): string =>
  [...code.matchAll(/^\s*console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`).join('')

const save = (folder: string, name: string, code: string): string => {
  writeFileSync(join(folder, name), code)
  return name
}

/** Starts the server of a block on a free port, and sends the request that it prints. */
const assertServes = async (folder: string, code: string): Promise<void> => {
  const { port, stop } = await startServer(createServer())
  await stop()
  const server = spawn(process.execPath, [save(folder, 'serve.mjs', code.replaceAll('4000', `${port}`))], {
    cwd: folder,
  })
  try {
    const printed = await new Promise<string>((resolve, reject) => {
      server.stdout.setEncoding('utf8').once('data', resolve)
      server.once('exit', status => reject(new Error(`serve.mjs ended with ${status}`)))
    })
    const [, url = ''] = /^curl '(\S+)'$/m.exec(printed) ?? []
    assert.equal(await (await fetch(url)).text(), '{"name":"Ada","id":"1"}')
  } finally {
    server.kill()
  }
}

/** Asserts the names that an editor offers, and the errors that it reports for typing mistakes. */
const assertTypes = (folder: string, first: string): void => {
  const { completions, errors } = openEditor(folder)
  const assertOffers = (code: string, ...names: string[]): void => {
    const offered = completions(`${first}\n${code}`)
    for (const name of names) assert.ok(offered.includes(name), `${code} offers ${offered}, but not ${name}`)
  }
  assertOffers('me.▮', 'name', 'friends', 'id')
  assertOffers('me.friends?.data[0]?.▮', 'name', 'id')
  assertOffers("graph.getNode(token, { id: '1', type: '▮' })", 'user', 'photo')
  assertOffers("graph.getEdge(token, { id: '1', type: 'user', edge: '▮' })", 'friends', 'photos')
  assertOffers('graph.getMe(token, { ▮ })', 'fields', 'version', 'signal')
  assertOffers("graph.write([{ op: '▮' }])", 'putNode', 'putEdge')
  assertOffers(
    "graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { ▮ } } }])",
    'name',
    'email',
  )
  // Inside the text of `fields`, an editor offers no names. TypeScript checks the text as a whole, and the
  // error names the mistake.
  const messages = errors(`${first}
graph.getNode(token, { id: '1', type: 'user', fields: 'name,nmae' })
graph.getEdge(token, { id: 'me', edge: 'freinds' })
me.nmae`)
  assert.equal(messages.length, 3, `expected three errors; received ${messages}`)
  assert.match(messages[0] ?? '', /"no field or edge 'nmae' on user"/)
  assert.match(messages[1] ?? '', /Did you mean '"friends"'\?/)
  assert.match(messages[2] ?? '', /Property 'nmae' does not exist/)
}

/** Asserts that the program of the package runs, and names the driver that the project lacks. */
const assertProgram = (folder: string): void => {
  assert.match(run(folder, 'npx', 'kithgraph', '--help'), /^Usage: kithgraph introspect \[URL\]/)
  const url = 'postgres://someone:secret@127.0.0.1:1/graph'
  const { status, stderr } = spawnSync('npx', ['kithgraph', 'check', 'store', url], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(status, 2)
  assert.match(stderr, /needs the package pg .*: npm install pg/)
  assert.doesNotMatch(stderr, /secret/)
}

/** Checks a store with the program of the package, and the drivers of this project. */
const assertChecks = async (folder: string): Promise<void> => {
  const path = join(folder, 'graph.db')
  const database = new Database(path)
  const store = createSqliteStore(database)
  store.open()
  await store.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }], {
    signal: undefined,
  })
  database.close()
  const program = join(folder, 'node_modules/.bin/kithgraph')
  const schema = save(folder, 'schema.mjs', "export { socialSchema as schema } from 'kithgraph'\n")
  const printed = run(ROOT, program, 'check', 'store', `sqlite:${path}`, '--schema', join(folder, schema))
  assert.equal(printed, 'checked 1 node and 0 edges: no errors\n')
}

const folder = mkdtempSync(join(tmpdir(), 'kithgraph-'))
try {
  installPacked(folder)
  const text = readFileSync(join(ROOT, 'docs/quick-start.md'), 'utf8')
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
  const first = blocks.find(code => code.includes('friends{name}')) ?? ''
  for (const code of blocks) {
    if (code.includes('.listen(')) await assertServes(folder, code)
    else
      assert.equal(
        run(folder, process.execPath, save(folder, 'block.mjs', code)),
        collectPrintedComments(code),
      )
  }
  assertTypes(folder, first)
  assert.deepEqual(emitDeclarations(folder), [])
  assertProgram(folder)
  await assertChecks(folder)
  console.log(
    `the quick start works from the packed package: ${blocks.length} blocks, and what an editor shows`,
  )
} finally {
  rmSync(folder, { recursive: true })
}
