import ts from 'typescript'

export type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration

export const isFunctionNode = (node: ts.Node): node is FunctionNode =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node)

const functionIn = (declaration: ts.Node | undefined): FunctionNode | undefined => {
  if (declaration === undefined) return undefined
  if (isFunctionNode(declaration)) return declaration
  const hasValue = ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration)
  const value = hasValue ? declaration.initializer : undefined
  return value !== undefined && isFunctionNode(value) ? value : undefined
}

const nameOf = ({ expression }: ts.CallExpression): ts.Expression | ts.MemberName =>
  ts.isPropertyAccessExpression(expression) ? expression.name : expression

/** Returns the name by which a function is called. */
const calledNameOf = (fn: FunctionNode): string | undefined => {
  const named = fn.name ?? (ts.isVariableDeclaration(fn.parent) ? fn.parent.name : undefined)
  return named?.getText() ?? (ts.isPropertyAssignment(fn.parent) ? fn.parent.name.getText() : undefined)
}

/** Finds the function that a call runs, and all calls of a function. */
export class CallIndex {
  readonly #checker: ts.TypeChecker
  /** Grouped by name only, because it would take several times as long to find the function of every call. */
  readonly #callsByName = new Map<string, ts.CallExpression[]>()

  constructor(checker: ts.TypeChecker, files: readonly ts.SourceFile[]) {
    this.#checker = checker
    for (const file of files) this.#visit(file)
  }

  callsOf(fn: FunctionNode): readonly ts.CallExpression[] {
    const named = this.#callsByName.get(calledNameOf(fn) ?? '') ?? []
    return named.filter(call => this.functionOf(call) === fn)
  }

  functionOf(call: ts.CallExpression): FunctionNode | undefined {
    return functionIn(this.symbolOf(nameOf(call))?.valueDeclaration)
  }

  /** Returns the symbol of a name. For an imported name, returns the symbol that it imports. */
  symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node)
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  #visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) {
      const name = nameOf(node).getText()
      this.#callsByName.set(name, [...(this.#callsByName.get(name) ?? []), node])
    }
    ts.forEachChild(node, child => this.#visit(child))
  }
}
