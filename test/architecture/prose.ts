/** Measures the prose of a Markdown page: words, and sentences that hold two thoughts. Code, tables and headings are not prose. */

export interface Prose {
  words: number
  sentences: readonly string[]
  /** Sentences that contain a semicolon. */
  semicolons: readonly string[]
  /** Sentences with a colon before their end that leads into neither a list nor code. */
  colons: readonly string[]
}

export function measureProse(text: string): Prose {
  const sentences = paragraphs(text).flatMap(sentencesOf)
  return {
    words: sentences.join(' ').split(/\s+/).filter(Boolean).length,
    sentences,
    semicolons: sentences.filter((sentence) => sentence.includes(';')),
    colons: sentences.filter((sentence) => /:\s+(?!CODE)\S/.test(sentence)),
  }
}

/** Paragraphs and list items as one line each. Code becomes the word CODE, a link its text. */
function paragraphs(text: string): string[] {
  return text
    .replaceAll(/^( *)```.*?^\1```$/gms, '\n')
    .replaceAll(/^---\n.*?\n---$/gs, '')
    .replaceAll(/<!--.*?-->|<\/?[a-z][^>\n]*>/gs, '')
    .replaceAll(/^ *(?:\|.*|#.*)$/gm, '\n')
    .replaceAll(/`[^`\n]*`/g, 'CODE')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\n\s*\n|\n(?= *(?:[-*+]|\d+\.) )/)
    .map((paragraph) =>
      paragraph
        .replaceAll(/^ *(?:[-*+>]|\d+\.) +|[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean)
}

function sentencesOf(paragraph: string): string[] {
  return paragraph.split(/(?<=[.!?][)”"]?) (?=[A-Z“"(\d])/)
}
