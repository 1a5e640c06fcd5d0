/** What a registry shows of a package: its README and the addresses in its package.json, made from the repository's address, if there is one. */
import { posix } from 'node:path'

/** A link or a picture in Markdown, its brackets and its target. */
const LINK = /(!?)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)/g
const PICTURE = /<picture>.*?<\/picture>\n*|<img\b[^>]*>\n*/gs
const ADDRESS = /\b(src|srcset|href)="([^"]+)"/g

/**
 * The README as a registry can show it. A registry knows no file of the repository: links and pictures become absolute, or, while there is
 * no address, plain words and nothing. `folder` is the package's in the repository.
 */
export function registryPage(text, { repository, folder, files }) {
  const absolute = (target, kind) => `${repository}/${kind}/main/${posix.join(folder, target)}`
  const link = (whole, ...[bang, words, target]) => {
    if (isAbsolute(target)) return whole
    if (repository) return `${bang}[${words}](${absolute(target, bang ? 'raw' : 'blob')})`
    return bang ? '' : plainWords(words, target.split('#')[0], files)
  }
  return outsideCode(text, (prose) => {
    const pictured = repository
      ? prose.replaceAll(ADDRESS, (whole, name, target) => (isAbsolute(target) ? whole : `${name}="${absolute(target, 'raw')}"`))
      : prose.replaceAll(PICTURE, (whole) => (/(?:src|srcset)="(?![a-z]+:)/.test(whole) ? '' : whole))
    return pictured.replaceAll(LINK, link)
  })
}

/** The package.json with the addresses that a registry links to; unchanged while there is no repository. */
export function registryManifest(manifest, { repository, folder }) {
  if (!repository) return manifest
  return {
    ...manifest,
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: 'git', url: `git+${repository}.git`, ...(folder !== '.' && { directory: folder }) },
  }
}

/** A page that is inside the package can be named, if not linked. */
function plainWords(words, file, files) {
  return files.includes(file) && !words.includes(file) ? `${words} (\`${file}\`)` : words
}

function isAbsolute(target) {
  return /^(?:[a-z]+:|#)/.test(target)
}

/** Changes what is not a block of code. */
function outsideCode(text, change) {
  return text
    .split(/(^```.*?^```$)/ms)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('')
}
