import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles a page in React, with everything that it imports, into one script. */
export const bundlePage = async (entry: URL): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
