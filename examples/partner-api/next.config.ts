import { join } from 'node:path'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // The library's source, which the imports lead to here, lies beside the examples. A program of its own needs no such line.
  turbopack: { root: join(import.meta.dirname, '../..') },
}

// biome-ignore lint/style/noDefaultExport: so Next takes it
export default config
