/** Registry page of a package: its README and the URLs in its package.json, based on the repository's URL, if there is one. */
import { posix } from 'node:path'

/** A link or a picture in Markdown, its brackets and its target. */
const LINK = /(!?)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)/g
const PICTURE = /<picture>.*?<\/picture>\n*|<img\b[^>]*>\n*/gs
const ADDRESS = /\b(src|srcset|href)="([^"]+)"/g

/**
 * Rewrites the README for a registry, which has no other file of the repository: links and pictures become absolute, or, without a
 * repository URL, plain text and nothing. `folder` is the package's folder in the repository.
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
      ? prose.replaceAll(ADDRESS, (whole, name, target) =>
          isAbsolute(target) ? whole : `${name}="${absolute(target, 'raw')}"`,
        )
      : prose.replaceAll(PICTURE, (whole) => (/(?:src|srcset)="(?![a-z]+:)/.test(whole) ? '' : whole))
    return pictured.replaceAll(LINK, link)
  })
}

/**
 * Rewrites a page of a package: the README for the registry, and in every other page the links to files that the package lacks. Those become
 * absolute, or, without a repository URL, plain text and nothing.
 */
export function packedPage(text, { page, repository, folder, files }) {
  if (page === 'README.md') return registryPage(text, { repository, folder, files })
  const link = (whole, ...[bang, words, target]) => {
    const path = posix.join(posix.dirname(page), target.split('#')[0])
    if (isAbsolute(target) || files.includes(path)) return whole
    if (repository)
      return `${bang}[${words}](${repository}/${bang ? 'raw' : 'blob'}/main/${posix.join(folder, posix.dirname(page), target)})`
    return bang ? '' : words
  }
  return outsideCode(text, (prose) => prose.replaceAll(LINK, link))
}

/** Adds the URLs that a registry links to; returns the package.json unchanged if there is no repository. */
export function registryManifest(manifest, { repository, folder }) {
  if (!repository) return manifest
  return {
    ...manifest,
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: 'git', url: `git+${repository}.git`, ...(folder !== '.' && { directory: folder }) },
  }
}

/** A file inside the package can be named, but not linked. */
function plainWords(words, file, files) {
  return files.includes(file) && !words.includes(file) ? `${words} (\`${file}\`)` : words
}

function isAbsolute(target) {
  return /^(?:[a-z]+:|#)/.test(target)
}

/** Rewrites the text outside code blocks. */
function outsideCode(text, change) {
  return text
    .split(/(^```.*?^```$)/ms)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('')
}
