import ts from 'typescript'
import { type FunctionNode, isFunctionNode } from './call-index.ts'

/** Returns an expression without parentheses and casts around it. */
export const withoutCasts = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ||
  ts.isAsExpression(node) ||
  ts.isSatisfiesExpression(node) ||
  ts.isNonNullExpression(node)
    ? withoutCasts(node.expression)
    : node

/**
 * Returns the expressions that a function returns, without the expressions that its inner functions return.
 */
export const returnsOf = ({ body }: FunctionNode): ts.Expression[] => {
  if (body === undefined) return []
  if (!ts.isBlock(body)) return [body]
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (isFunctionNode(node)) return
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression)
    ts.forEachChild(node, visit)
  }
  visit(body)
  return found
}

/** Returns the parameter that a declaration is, or from which it is destructured. */
export const parameterOf = (declaration: ts.Node): ts.ParameterDeclaration | undefined => {
  if (ts.isParameter(declaration)) return declaration
  const isMember = ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)
  return isMember && ts.isParameter(declaration.parent.parent) ? declaration.parent.parent : undefined
}
