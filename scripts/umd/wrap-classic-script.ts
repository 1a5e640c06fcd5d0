/** Replaces the bundler's UMD wrapper: one that keeps the first of two loaded scripts, and has `noConflict` and `default`. */
import { readFileSync } from 'node:fs'
import type { Plugin, Rolldown } from 'vite'
import { replaceBeginning } from './correct-source-map.ts'

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

/** Writes `index.umd.js`, its source map, and `index.iife.js` for pages with an AMD loader, which would swallow the former. */
export function wrapClassicScript(): Plugin {
  return {
    name: 'wrap-classic-script',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const { umd, iife, map } = wrap(chunk)
        chunk.code = umd
        this.emitFile({ type: 'asset', fileName: chunk.fileName.replace('.umd.', '.iife.'), source: iife })
        const file = bundle[`${chunk.fileName}.map`]
        if (file?.type === 'asset') file.source = map
      }
    },
  }
}

const beginning = (modules: string): string => `${BANNER}(function(f){${FILL}${modules}\n${GLOBAL}\nfill(o)})(`

/** `umd` uses a module system if there is one; `iife` always defines the global. @throws Error if the bundler's wrapper has changed. */
function wrap({ code, map }: Rolldown.OutputChunk) {
  const [before] = WRAPPER.exec(code) ?? []
  if (before === undefined || !map) throw new Error('The UMD wrapper of the bundler is not the expected one.')
  const body = code.slice(before.length)
  return {
    umd: beginning(MODULES) + body,
    // With as many lines, so that one map serves both.
    iife: beginning(MODULES.replace(/.+/g, '')) + body,
    map: JSON.stringify({ ...map, mappings: replaceBeginning(map.mappings, before, beginning(MODULES)) }),
  }
}
