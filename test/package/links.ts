/** Where a Markdown page points, and where it can be pointed at. */

/** The targets of links and pictures in the project, code left out. */
export function links(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)]
  return targets.map(({ 1: markdown, 2: html }) => markdown ?? html ?? '').filter((target) => !/^[a-z]+:/.test(target))
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
