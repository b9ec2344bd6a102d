import ts from 'typescript'
import { CallIndex, type FunctionNode, isFunctionNode } from './call-index.ts'
import { parameterOf, returnsOf, withoutCasts } from './syntax-parts.ts'

/** The placeholder for a part of a text that is known only at run time. */
export const VALUE = '\ue001'

/** The placeholder for the description of a value. */
export const DESCRIBED_VALUE = '\ue002'

/** The placeholder for the expectation of an issue, whose text is collected separately. */
export const EXPECTATION = '\ue003'

/** A union of more string literals than this is read as `VALUE`. */
const MAX_WORDS = 12
const MAX_DEPTH = 8
const MAX_TEXTS = 5000

/** The names of functions that describe received values. Their texts are collected separately. */
export const DESCRIBER = /^describe[A-Z]\w*$/

/**
 * The value of a parameter in one chain of calls: texts, an expression of the caller, or nothing. The
 * expression is read with the same bindings, because its parameters belong to the caller.
 */
type Binding = readonly string[] | ts.Expression | undefined

type Bindings = ReadonlyMap<ts.Symbol, Binding>

/** The parameters whose texts must be read from the calls of their functions. */
type OpenParameters = Map<ts.Symbol, FunctionNode>

const NO_BINDINGS: Bindings = new Map()

const isTextList = (binding: Binding): binding is readonly string[] => Array.isArray(binding)

const unique = (texts: readonly string[]): string[] => {
  const all = [...new Set(texts)]
  if (all.length > MAX_TEXTS) throw new Error(`A text has more than ${MAX_TEXTS} variants`)
  return all
}

const combine = (heads: readonly string[], tails: readonly string[]): string[] =>
  unique(heads.flatMap(head => tails.map(tail => head + tail)))

/** Reads all texts that an expression can have. Follows constants, conditions, templates and functions. */
export class MessageReader {
  readonly #checker: ts.TypeChecker
  readonly #calls: CallIndex
  readonly #reading = new Set<FunctionNode>()
  readonly #readingParameters = new Set<ts.Symbol>()

  constructor(program: ts.Program, files: readonly ts.SourceFile[]) {
    this.#checker = program.getTypeChecker()
    this.#calls = new CallIndex(this.#checker, files)
  }

  /** Returns all variants of a text. Reads the value of a parameter from all calls of its function. */
  read(node: ts.Expression, bindings = NO_BINDINGS): string[] {
    const open: OpenParameters = new Map()
    const texts = this.#read(node, bindings, open, 0)
    const [fn] = open.values()
    const calls = fn === undefined || this.#reading.has(fn) ? [] : this.#calls.callsOf(fn)
    if (fn === undefined || calls.length === 0) return texts
    this.#reading.add(fn)
    const parameters = [...open].filter(([, owner]) => owner === fn).map(([symbol]) => symbol)
    const found = calls.flatMap(call => {
      const added = parameters.map(symbol => [symbol, this.#bind(symbol, fn, call, bindings)] as const)
      return this.read(node, new Map([...bindings, ...added]))
    })
    this.#reading.delete(fn)
    return unique(found)
  }

  /** Returns the texts of the expressions that a function returns. */
  readReturns(fn: FunctionNode): string[] {
    return returnsOf(fn).flatMap(node => this.read(node))
  }

  #bind(symbol: ts.Symbol, fn: FunctionNode, call: ts.CallExpression, bindings: Bindings): Binding {
    const argument = this.#argumentOf(symbol, fn, call.arguments)
    const isAbsent = argument === undefined || this.#isAbsent(argument, bindings)
    const initializer = symbol.valueDeclaration && parameterOf(symbol.valueDeclaration)?.initializer
    return isAbsent ? initializer : argument
  }

  /** Whether an expression is `undefined`, or a parameter for which the caller passes no argument. */
  #isAbsent(node: ts.Expression, bindings: Bindings): boolean {
    if (node.getText() === 'undefined') return true
    const symbol = ts.isIdentifier(node) ? this.#calls.symbolOf(node) : undefined
    return symbol !== undefined && bindings.has(symbol) && bindings.get(symbol) === undefined
  }

  #argumentOf(
    symbol: ts.Symbol,
    fn: FunctionNode,
    given: readonly ts.Expression[],
  ): ts.Expression | undefined {
    const declaration = symbol.valueDeclaration
    const parameter = declaration && parameterOf(declaration)
    const argument = given[parameter === undefined ? -1 : fn.parameters.indexOf(parameter)]
    if (declaration === parameter || argument === undefined) return argument
    const value = withoutCasts(argument)
    if (!ts.isObjectLiteralExpression(value)) return argument
    const member = value.properties.find(({ name }) => name?.getText() === symbol.name)
    if (member === undefined) return undefined
    return ts.isPropertyAssignment(member) ? member.initializer : argument
  }

  #read(node: ts.Expression, bindings: Bindings, open: OpenParameters, depth: number): string[] {
    const inner = withoutCasts(node)
    const next = (part: ts.Expression): string[] => this.#read(part, bindings, open, depth)
    if (ts.isStringLiteralLike(inner)) return [inner.text]
    if (ts.isTemplateExpression(inner))
      return inner.templateSpans.reduce(
        (texts, span) => combine(combine(texts, next(span.expression)), [span.literal.text]),
        [inner.head.text],
      )
    if (ts.isConditionalExpression(inner)) return this.#readConditional(inner, bindings, next)
    if (ts.isBinaryExpression(inner)) return this.#readBinary(inner, next)
    if (ts.isIdentifier(inner)) return this.#readIdentifier(inner, bindings, open, depth)
    if (ts.isCallExpression(inner) && depth < MAX_DEPTH) return this.#readCall(inner, bindings, open, depth)
    if (ts.isElementAccessExpression(inner)) return this.#readMember(inner, next)
    if (ts.isPropertyAccessExpression(inner) && inner.name.text === 'expected') return [EXPECTATION]
    return this.#readType(inner)
  }

  #readConditional(
    { condition, whenTrue, whenFalse }: ts.ConditionalExpression,
    bindings: Bindings,
    next: (part: ts.Expression) => string[],
  ): string[] {
    const isTest = ts.isBinaryExpression(condition) && condition.getText().endsWith(' === undefined')
    const symbol = isTest ? this.#calls.symbolOf(condition.left) : undefined
    if (!isTest || symbol === undefined || !bindings.has(symbol))
      return unique([...next(whenTrue), ...next(whenFalse)])
    return next(this.#isAbsent(condition.left, bindings) ? whenTrue : whenFalse)
  }

  #readBinary(
    { left, right, operatorToken }: ts.BinaryExpression,
    next: (part: ts.Expression) => string[],
  ): string[] {
    if (operatorToken.kind === ts.SyntaxKind.PlusToken) return combine(next(left), next(right))
    const isEither =
      operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken ||
      operatorToken.kind === ts.SyntaxKind.BarBarToken
    return isEither ? unique([...next(left), ...next(right)]) : [VALUE]
  }

  #readIdentifier(node: ts.Identifier, bindings: Bindings, open: OpenParameters, depth: number): string[] {
    const symbol = this.#calls.symbolOf(node)
    const declaration = symbol?.valueDeclaration
    if (symbol !== undefined && bindings.has(symbol)) {
      const bound = bindings.get(symbol)
      if (isTextList(bound)) return [...bound]
      const isAbsent = bound === undefined || this.#isAbsent(bound, bindings)
      const given = isAbsent ? declaration && parameterOf(declaration)?.initializer : bound
      if (given === undefined) return ['']
      // A recursive function passes its own parameter on, as it is or within another text.
      if (this.#readingParameters.has(symbol)) return this.#readType(node)
      this.#readingParameters.add(symbol)
      const texts = this.#read(given, bindings, open, depth)
      this.#readingParameters.delete(symbol)
      return texts
    }
    const byType = this.#readType(node)
    if (symbol === undefined || declaration === undefined || byType[0] !== VALUE) return byType
    if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined)
      return this.#read(declaration.initializer, bindings, open, depth)
    const parameter = parameterOf(declaration)
    if (symbol.name === 'expected' && parameter !== declaration) return [EXPECTATION]
    if (parameter === undefined || !this.#isText(node) || !isFunctionNode(parameter.parent)) return byType
    open.set(symbol, parameter.parent)
    return byType
  }

  #readCall(node: ts.CallExpression, bindings: Bindings, open: OpenParameters, depth: number): string[] {
    const fn = this.#calls.functionOf(node)
    const name = node.expression.getText()
    if (DESCRIBER.test(name)) return [DESCRIBED_VALUE]
    if (fn === undefined || !this.#isText(node)) return this.#readType(node)
    const inside = new Map<ts.Symbol, Binding>(bindings)
    for (const { name, initializer } of fn.parameters) {
      const symbol = this.#checker.getSymbolAtLocation(name)
      const argument = symbol && this.#argumentOf(symbol, fn, node.arguments)
      const given = argument === undefined || this.#isAbsent(argument, bindings) ? initializer : argument
      if (symbol) inside.set(symbol, given && this.#read(given, bindings, open, depth + 1))
    }
    const returned = returnsOf(fn)
    if (returned.length === 0) return [VALUE]
    return unique(returned.flatMap(value => this.#read(value, inside, open, depth + 1)))
  }

  /** Reads all members of a constant object, because the name of the member is known only at run time. */
  #readMember(node: ts.ElementAccessExpression, next: (part: ts.Expression) => string[]): string[] {
    const declaration = this.#calls.symbolOf(node.expression)?.valueDeclaration
    const value =
      declaration && ts.isVariableDeclaration(declaration) && declaration.initializer
        ? withoutCasts(declaration.initializer)
        : undefined
    if (value === undefined || !ts.isObjectLiteralExpression(value)) return this.#readType(node)
    const texts = value.properties.map(member =>
      ts.isPropertyAssignment(member) && ts.isStringLiteralLike(member.initializer)
        ? next(member.initializer)
        : undefined,
    )
    return texts.some(text => text === undefined)
      ? this.#readType(node)
      : unique(texts.flatMap(text => text ?? []))
  }

  #isText(node: ts.Node): boolean {
    const type = this.#checker.getTypeAtLocation(node)
    const types = type.isUnion() ? type.types : [type]
    return types.some(({ flags }) => (flags & ts.TypeFlags.StringLike) !== 0)
  }

  /** Returns the string literals of a type, or `VALUE` if the type allows other values. */
  #readType(node: ts.Node): string[] {
    const type = this.#checker.getTypeAtLocation(node)
    const types = type.isUnion() ? type.types : [type]
    const words = types.map(part => (part.isStringLiteral() ? part.value : undefined))
    const isKnown = words.length <= MAX_WORDS && words.every(word => word !== undefined)
    return isKnown ? words.map(word => word ?? '') : [VALUE]
  }
}
