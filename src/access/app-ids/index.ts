export type { AppIdMapper, AppIds } from './app-ids.ts'
export { type AppIdsOptions, createAppIds } from './create-app-ids.ts'
