/** Row above each page: copies its Markdown, and links to it. */
import { defineComponent, h, ref, watch } from 'vue'
import { useData, withBase } from 'vitepress'

/** Words on the button after a click, until another page is shown. */
const RESULTS = {
  idle: 'Copy as Markdown',
  copied: 'Copied',
  failed: 'Cannot copy. Open the Markdown instead.',
}

export const PageActions = defineComponent(() => {
  const { page } = useData()
  const result = ref('idle')
  const address = () => withBase(`/${page.value.relativePath}`)
  watch(
    () => page.value.relativePath,
    () => (result.value = 'idle'),
  )
  const copy = async () => {
    try {
      await copyText(address())
      result.value = 'copied'
    } catch {
      result.value = 'failed'
    }
  }
  return () =>
    h('nav', { class: 'page-actions', 'aria-label': 'This page' }, [
      h('button', { type: 'button', onClick: copy }, h('span', { role: 'status' }, RESULTS[result.value])),
      h('a', { href: address(), target: '_self' }, 'Markdown'),
    ])
})

/** Safari copies only what is handed over within the click, so it receives a promise. */
async function copyText(address) {
  const loaded = fetch(address).then((response) => {
    if (!response.ok) throw new Error(`${address} answered with ${response.status}.`)
    return response.text()
  })
  const blob = loaded.then((text) => new Blob([text], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
