/** Editor for JSON, with problems underlined where they are. Tab leaves it, as any other field. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { HighlightStyle, bracketMatching, syntaxHighlighting, syntaxTree } from '@codemirror/language'
import { lintKeymap, linter, type Diagnostic } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { CommandProblem } from './check-commands'

export interface JsonEditor {
  /** Moves the cursor to a path, and the focus to the editor. */
  goTo(path: string): void
}

interface JsonEditorOptions {
  text: string
  label: string
  /** Called with each change. */
  onChange: (text: string) => void
  check: (text: string) => readonly CommandProblem[]
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--ink)', fontWeight: '600' },
])

const LOOK = EditorView.theme({
  '&': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--ink)',
    border: '1px solid var(--control)',
    borderRadius: '10px',
  },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontSize: '0.875rem',
    lineHeight: '1.5',
    maxHeight: 'var(--editor-height, 28rem)',
    minHeight: '12rem',
  },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--quiet)', border: '0' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  // The editor's own underlines are pictures in data URLs, which the content policy forbids.
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--accent)' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--tint) !important' },
})

/** Fills the element. In a shadow root, because there the editor's styles are style sheets of the document's, which a strict content policy allows. */
export function jsonEditor(
  element: HTMLElement,
  { text, label, onChange, check }: JsonEditorOptions,
): JsonEditor {
  const root = element.attachShadow({ mode: 'open' })
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      bracketMatching(),
      json(),
      syntaxHighlighting(COLOURS),
      LOOK,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label }),
      EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
      linter((view) => check(view.state.doc.toString()).map((problem) => diagnosticAt(problem, view.state)), {
        delay: 200,
      }),
      keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    ],
  })
  const view = new EditorView({ state, parent: root, root })
  return {
    goTo(path) {
      view.dispatch({ selection: { anchor: findPath(view.state, path).from }, scrollIntoView: true })
      view.focus()
    },
  }
}

function diagnosticAt({ path, message, level }: CommandProblem, state: EditorState): Diagnostic {
  return { ...findPath(state, path), severity: level, message: path === '' ? message : `${path}: ${message}` }
}

/** Place of a path such as `[0].options[1].name` in the text. */
type SyntaxNode = ReturnType<typeof syntaxTree>['topNode']

interface TextRange {
  readonly from: number
  readonly to: number
}

/** Returns the range of the value, or of the deepest existing one around it: an absent field has no place of its own. */
function findPath(state: EditorState, path: string): TextRange {
  let node = syntaxTree(state).topNode.firstChild
  for (const step of path.matchAll(/\[(\d+)\]|\['([^']*)'\]|(\w+)/g)) {
    const next =
      node &&
      (step[1] === undefined
        ? property(node, step[2] ?? step[3] ?? '', state)
        : itemOf(node, Number(step[1])))
    if (!next) break
    node = next
  }
  return node ? firstLine(node, state) : { from: 0, to: state.doc.length }
}

function itemOf(list: SyntaxNode, index: number): SyntaxNode | undefined {
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
