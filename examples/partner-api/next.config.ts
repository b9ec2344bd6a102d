import { join } from 'node:path'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // Here, imports resolve to the source of the library, which is outside this folder.
  // Other programs do not need this line.
  turbopack: { root: join(import.meta.dirname, '../..') },
}

// biome-ignore lint/style/noDefaultExport: so Next takes it
export default config
