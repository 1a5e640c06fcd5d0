/** Theme of the site: VitePress's own, with a row of actions on each page. */
import { h } from 'vue'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { PageActions } from './page-actions.mjs'
import './site.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(PageActions) }),
}
