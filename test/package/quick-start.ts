// Follows the quick start from an empty folder with the packed package: run after `npm run build`, by `npx tsx`.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { listening } from '../helpers/listening.ts'
import { openEditor } from './editor.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const run = (folder: string, command: string, ...input: string[]): string =>
  execFileSync(command, input, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const installPacked = (folder: string): void => {
  const flags = ['--ignore-scripts', '--json', '--pack-destination', folder]
  const [packed] = JSON.parse(run(ROOT, 'npm', 'pack', ...flags))
  run(folder, 'npm', 'init', '-y')
  run(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${packed.filename}`)
}

/** The lines of a block that print, and what they say they do. */
const promised = (code: string): string =>
  [...code.matchAll(/^\s*console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`).join('')

const save = (folder: string, name: string, code: string): string => {
  writeFileSync(join(folder, name), code)
  return name
}

/** Starts the block that serves, on a port that is free, and sends what it prints. */
const assertServes = async (folder: string, code: string): Promise<void> => {
  const { port, stop } = await listening(createServer())
  await stop()
  const server = spawn(process.execPath, [save(folder, 'serve.mjs', code.replaceAll('4000', `${port}`))], {
    cwd: folder,
  })
  try {
    const printed = await new Promise<string>((found, failed) => {
      server.stdout.setEncoding('utf8').once('data', found)
      server.once('exit', status => failed(new Error(`serve.mjs ended with ${status}`)))
    })
    const [, url = ''] = /^curl '(\S+)'$/m.exec(printed) ?? []
    assert.equal(await (await fetch(url)).text(), '{"name":"Ada","id":"1"}')
  } finally {
    server.kill()
  }
}

/** What the types offer where one types, and what they say of a slip. */
const assertTypes = (folder: string, first: string): void => {
  const { completions, errors } = openEditor(folder)
  const offered = (code: string, ...names: string[]): void => {
    const found = completions(`${first}\n${code}`)
    for (const name of names) assert.ok(found.includes(name), `${code} offers ${found}, and not ${name}`)
  }
  offered('me.▮', 'name', 'friends', 'id')
  offered('me.friends?.data[0]?.▮', 'name', 'id')
  offered("graph.getNode(token, { id: '1', type: '▮' })", 'user', 'photo')
  offered("graph.getEdge(token, { id: '1', type: 'user', edge: '▮' })", 'friends', 'photos')
  offered('graph.getMe(token, { ▮ })', 'fields', 'version', 'signal')
  offered("graph.write([{ op: '▮' }])", 'putNode', 'putEdge')
  offered("graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { ▮ } } }])", 'name', 'email')
  // Inside the text of `fields` an editor has no names to offer: it is checked as a whole, and a slip is told by its name.
  const told = errors(`${first}
graph.getNode(token, { id: '1', type: 'user', fields: 'name,nmae' })
graph.getEdge(token, { id: 'me', edge: 'freinds' })
me.nmae`)
  assert.equal(told.length, 3, `expected the three slips, came ${told}`)
  assert.match(told[0] ?? '', /"no field or edge 'nmae' on user"/)
  assert.match(told[1] ?? '', /Did you mean '"friends"'\?/)
  assert.match(told[2] ?? '', /Property 'nmae' does not exist/)
}

const folder = mkdtempSync(join(tmpdir(), 'kithgraph-'))
try {
  installPacked(folder)
  const text = readFileSync(join(ROOT, 'docs/quick-start.md'), 'utf8')
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
  const first = blocks.find(code => code.includes('friends{name}')) ?? ''
  for (const code of blocks) {
    if (code.includes('.listen(')) await assertServes(folder, code)
    else assert.equal(run(folder, process.execPath, save(folder, 'block.mjs', code)), promised(code))
  }
  assertTypes(folder, first)
  console.log(
    `the quick start works from the packed package: ${blocks.length} blocks, and what an editor shows`,
  )
} finally {
  rmSync(folder, { recursive: true })
}
