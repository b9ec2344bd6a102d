export { createExplorer, type Explorer } from './create-explorer.ts'
export type { ExplorerOptions } from './explorer-options.ts'
