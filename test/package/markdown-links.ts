/** Link targets and heading anchors of a Markdown page. */

/** Targets of links and pictures inside the project, except in code. */
export function links(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)]
  return targets
    .map(({ 1: markdown, 2: html }) => markdown ?? html ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
}

/** Anchors of its headings, as GitHub generates them, and of its HTML elements. */
export function anchors(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '')
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(({ 1: heading = '' }) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return [...headings, ...[...prose.matchAll(/<a id="([^"]+)"/g)].map(({ 1: id = '' }) => id)]
}
