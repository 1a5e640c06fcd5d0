/** Writes one page that shows all pictures, a row for each screen, and the same as pictures of two screens each. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Engine } from '../../test/support/engines/engine'

export interface Picture {
  readonly screen: string
  readonly theme: string
  readonly width: number
  /** Relative to the contact sheet. */
  readonly file: string
  readonly fault: string | undefined
}

export function writeContactSheet(file: string, pictures: readonly Picture[]): Promise<void> {
  const screens = [...new Set(pictures.map(({ screen }) => screen))]
  const rows = screens.map(
    (screen) =>
      `<h2>${screen}</h2><div>${pictures
        .filter((one) => one.screen === screen)
        .map(figure)
        .join('')}</div>`,
  )
  return writeFile(
    file,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>${STYLE}</style>${rows.join('\n')}`,
  )
}

/** Screens on one picture, each with a row for each theme, at a third of their size. */
const SCREENS_A_SHEET = 2

/** Writes `sheet-1.png`, `sheet-2.png` and so on, small enough to be looked at one after the other. Resolves with their names. */
export async function writeSheets(
  engine: Engine,
  folder: string,
  pictures: readonly Picture[],
): Promise<readonly string[]> {
  const screens = [...new Set(pictures.map(({ screen }) => screen))]
  const page = await engine.open()
  const files: string[] = []
  for (let first = 0; first < screens.length; first += SCREENS_A_SHEET) {
    const shown = new Set(screens.slice(first, first + SCREENS_A_SHEET))
    const html = resolve(folder, 'sheet.html')
    await writeContactSheet(
      html,
      pictures.filter(({ screen }) => shown.has(screen)).toSorted((a, b) => b.theme.localeCompare(a.theme)),
    )
    await page.goto(pathToFileURL(html).href)
    await page.evaluate(FILL_ROWS)
    const file = `${folder}/sheet-${files.length + 1}.png`
    await page.resize(1240, 900)
    await writeFile(file, await page.picture())
    files.push(file)
  }
  return files
}

/** Puts all looks of a screen side by side, and waits until they are loaded. */
const FILL_ROWS = `(async () => {
  const style = document.createElement('style')
  style.textContent = 'body { margin: 8px; font-size: 11px } h2 { margin: 4px 0; font-size: 13px } div { flex-wrap: wrap; gap: 6px } img { width: calc(var(--width) / 3 * 1px); max-width: none; height: 300px; object-fit: cover }'
  document.head.append(style)
  for (const image of document.images) image.loading = 'eager'
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
})()`

function figure({ screen, theme, width, file, fault = '' }: Picture): string {
  const words = `${theme}, ${width} px`
  return `<figure style="--width: ${width}"><figcaption>${words} <b>${fault}</b></figcaption><a href="${file}"><img loading="lazy" alt="${screen}, ${words}" src="${file}"></a></figure>`
}

const STYLE = `body { font: 14px/1.4 system-ui, sans-serif; margin: 16px; background: #ddd }
div { display: flex; align-items: start; gap: 16px; overflow-x: auto }
figure { margin: 0 } img { height: 420px; max-width: 600px; object-fit: contain; object-position: top; background: #fff } b { color: #b00 }`
