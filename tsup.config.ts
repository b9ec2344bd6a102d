import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    memory: 'src/stores/memory/index.ts',
    testing: 'src/testing/index.ts',
  },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  dts: true,
  clean: true,
  sourcemap: true,
})
