/** Where a Markdown page points, and where it can be pointed at. */

/** The targets of links and pictures in the project, code left out. */
export function links(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(({ 1: target = '' }) => target).filter((target) => !/^[a-z]+:/.test(target))
}

/** The anchors of its headings, as GitHub makes them. */
export function anchors(text: string): string[] {
  return [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(({ 1: heading = '' }) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
