export { createMemoryStore, type MemorySnapshot, type MemoryStore } from './memory-store.ts'
