/** Writes one page that shows all pictures, a row for each screen and theme. */
import { writeFile } from 'node:fs/promises'

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

function figure({ screen, theme, width, file, fault = '' }: Picture): string {
  const words = `${theme}, ${width} px`
  return `<figure><figcaption>${words} <b>${fault}</b></figcaption><a href="${file}"><img loading="lazy" alt="${screen}, ${words}" src="${file}"></a></figure>`
}

const STYLE = `body { font: 14px/1.4 system-ui, sans-serif; margin: 16px; background: #ddd }
div { display: flex; align-items: start; gap: 16px; overflow-x: auto }
figure { margin: 0 } img { height: 420px; max-width: 600px; object-fit: contain; object-position: top; background: #fff } b { color: #b00 }`
