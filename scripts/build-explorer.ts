/**
 * Bundles the page of the Explorer into the module that its handler serves:
 *
 *     npm run build:explorer
 *
 * The same source produces the same hashes. The module is written only if it changes.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '..')
const ENTRY = 'src/explorer/page/main.ts'
const BUNDLE = join(ROOT, 'src/explorer/page-bundle.ts')
const HASH_LENGTH = 16

const bundlePage = () =>
  build({
    entryPoints: [ENTRY],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    outdir: 'out',
    write: false,
  })

const findPackage = (input: string): string | undefined =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]

const readNotice = (folder: string): string => {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const file = readdirSync(join(ROOT, folder)).find(entry => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${name} has no licence file`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(ROOT, folder, file), 'utf8').trim()}\n`
}

/** Reads the licences of all packages that are part of the bundle. */
const readNotices = ({ inputs }: Metafile): string => {
  const folders = new Set(Object.keys(inputs).flatMap(input => findPackage(input) ?? []))
  return [...folders]
    .sort()
    .map(readNotice)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** Formats an asset as a member of the module's object. */
const writeAsset = (name: string, content: string | Uint8Array): string => {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_LENGTH)
  const gzip = gzipSync(content, { level: 9 }).toString('base64')
  return `  ${name}: { hash: '${hash}', gzip: '${gzip}' },\n`
}

const { outputFiles, metafile } = await bundlePage()
const findContent = (ending: string): Uint8Array | string =>
  outputFiles.find(({ path }) => path.endsWith(ending))?.contents ?? ''
const text = `\
/** The assets of the Explorer's page: hashes of the content, and the compressed content in base64. */
export const pageBundle = {
${writeAsset('script', findContent('.js'))}${writeAsset('style', findContent('.css'))}${writeAsset('notices', readNotices(metafile))}}
`
if (!existsSync(BUNDLE) || readFileSync(BUNDLE, 'utf8') !== text) {
  // Writes another file and renames it, so that a concurrent reader never sees incomplete content.
  const written = `${BUNDLE}.${process.pid}`
  writeFileSync(written, text)
  renameSync(written, BUNDLE)
}
