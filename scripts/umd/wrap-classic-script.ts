/** Replaces the bundler's UMD wrapper: one that keeps the first of two loaded scripts, and has `noConflict` and `default`. */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const { version }: { version: string } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const BANNER = `/*! foyer-sdk ${version} | MIT | contains @noble/hashes, eventemitter3 and jose, MIT */\n`

/** Wrapper of the bundler, up to the body of the factory. */
const WRAPPER = /^\(function\(\w,\w\)\{.{0,400}?\}\)\(this,(?=function\(\w\)\{)/

/** Module systems: `exports.default` is the whole module, for compilers that import it. */
const FILL = 'function fill(e){f(e);Object.defineProperty(e,"default",{value:e})}'
const MODULES = `if(typeof exports=="object"&&typeof module<"u"){fill(exports);return}
if(typeof define=="function"&&define.amd){define(["exports"],fill);return}`

/** Top-level `this` only as the last resort: it is undefined in some loaders of game engines. */
const GLOBAL = `var g=typeof globalThis<"u"?globalThis:typeof self<"u"?self:typeof global<"u"?global:this,p=g.Foyer
if(p&&p.Client)return
var o=g.Foyer={noConflict:function(){if(g.Foyer===o)g.Foyer=p;return o}}`

/** Writes `index.umd.js`, and `index.iife.js` for pages with an AMD loader, which would swallow the former. */
export function wrapClassicScript(): Plugin {
  return {
    name: 'wrap-classic-script',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        this.emitFile({ type: 'asset', fileName: chunk.fileName.replace('.umd.', '.iife.'), source: wrap(chunk.code, 'iife') })
        chunk.code = wrap(chunk.code, 'umd')
      }
    },
  }
}

/** `umd` uses a module system if there is one; `iife` always defines the global. @throws Error if the bundler's wrapper has changed. */
function wrap(code: string, kind: 'umd' | 'iife'): string {
  if (!WRAPPER.test(code)) throw new Error('The UMD wrapper of the bundler is not the expected one.')
  return `${BANNER}${code.replace(WRAPPER, () => `(function(f){${FILL}${kind === 'umd' ? MODULES : ''}\n${GLOBAL}\nfill(o)})(`)}`
}
