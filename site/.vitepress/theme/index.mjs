/** Theme of the site: VitePress's own, with a row of actions on each page. */
import { h } from 'vue'
import DefaultTheme from 'vitepress/theme-without-fonts'
import NotFound from 'vitepress/dist/client/theme-default/NotFound.vue'
import { PageActions } from './page-actions.mjs'
import './site.css'

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'doc-before': () => h(PageActions),
      // The theme's own page for a wrong address has no landmark.
      'not-found': () => h('main', null, h(NotFound)),
    }),
}
