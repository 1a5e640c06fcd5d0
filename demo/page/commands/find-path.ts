/** Finds the place of a path such as `[0].options[1].name` in a JSON text. */
import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

type SyntaxNode = ReturnType<typeof syntaxTree>['topNode']

export interface TextRange {
  readonly from: number
  readonly to: number
}

/** Returns the range of the value, or of the deepest existing one around it: an absent field has no place of its own. */
export function findPath(state: EditorState, path: string): TextRange {
  let node = syntaxTree(state).topNode.firstChild
  for (const step of path.matchAll(/\[(\d+)\]|\['([^']*)'\]|(\w+)/g)) {
    const next = node && (step[1] === undefined ? property(node, step[2] ?? step[3] ?? '', state) : element(node, Number(step[1])))
    if (!next) break
    node = next
  }
  return node ? firstLine(node, state) : { from: 0, to: state.doc.length }
}

function element(list: SyntaxNode, index: number): SyntaxNode | undefined {
  if (list.name !== 'Array') return undefined
  return children(list).filter(({ name }) => !'[],'.includes(name))[index]
}

function property(object: SyntaxNode, key: string, state: EditorState): SyntaxNode | undefined {
  const found = children(object).find((child) => {
    const name = child.name === 'Property' ? child.getChild('PropertyName') : null
    return name !== null && state.sliceDoc(name.from + 1, name.to - 1) === key
  })
  return found?.lastChild ?? undefined
}

function children(node: SyntaxNode): SyntaxNode[] {
  const found = []
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child)
  return found
}

/** A whole object would be underlined over many lines. */
function firstLine({ from, to }: SyntaxNode, state: EditorState): TextRange {
  return { from, to: Math.min(to, state.doc.lineAt(from).to) }
}
