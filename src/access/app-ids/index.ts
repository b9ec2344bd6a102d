export type { AppIds, IdsOfApp } from './app-ids.ts'
