/** Finds mutants that run when their module is loaded, once for all tests of a file, such as the function that a constant holds. */
import ts from 'typescript'

/** @import { Instrumented, SourceFile } from './mutant-types' */
/** @typedef {Instrumented['location']['start']} Position */

/**
 * Returns a function that tells whether a place of a source file lies outside of all functions. `location`: first and last position of the
 * mutated code, with lines and columns from 0.
 *
 * @param {SourceFile} source
 * @returns {(location: Instrumented['location']) => boolean}
 */
export function createModuleLevel({ name, content }) {
  const file = ts.createSourceFile(name, content, ts.ScriptTarget.Latest)
  /** @param {Position} position */
  const offset = ({ line, column }) => file.getPositionOfLineAndCharacter(line, column)
  return ({ start, end }) => !isInFunction(file, { from: offset(start), to: offset(end) }, file)
}

/**
 * A function contains a mutant of its body; one that replaces the whole function takes effect where the function is created.
 *
 * @param {ts.Node} node
 * @param {{ from: number, to: number }} range
 * @param {ts.SourceFile} file
 * @returns {true | undefined}
 */
function isInFunction(node, { from, to }, file) {
  return node.forEachChild((child) => {
    const [start, end] = [child.getStart(file), child.end]
    if (from < start || end < to) return undefined
    const isLarger = start < from || to < end
    return (ts.isFunctionLike(child) && isLarger) || isInFunction(child, { from, to }, file) || undefined
  })
}
