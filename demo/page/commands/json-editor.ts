/** Editor for JSON, with problems underlined where they are. Tab leaves it, as any other field. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintKeymap } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { CommandProblem } from './check-commands'
import { findPath } from './find-path'

export interface JsonEditor {
  /** Moves the cursor to a path, and the focus to the editor. */
  goTo(path: string): void
}

export interface JsonEditorOptions {
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
  '&': { backgroundColor: 'var(--sunken)', color: 'var(--ink)', border: '1px solid var(--control)', borderRadius: '10px' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.875rem', lineHeight: '1.5', maxHeight: '28rem', minHeight: '12rem' },
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
export function jsonEditor(element: HTMLElement, { text, label, onChange, check }: JsonEditorOptions): JsonEditor {
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
      linter((view) => check(view.state.doc.toString()).map((problem) => diagnosticAt(problem, view.state)), { delay: 200 }),
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
