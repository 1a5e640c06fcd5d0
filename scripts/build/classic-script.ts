/** Wraps a CommonJS module as a classic script: a global `Foyer`, or a module where the page or the program has a module system. */
import { readFileSync } from 'node:fs'
import type { Rolldown } from 'vite'

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)
const LICENSE = `/*! foyer-sdk ${version} | MIT | contains @noble/hashes, eventemitter3 and jose, MIT */`

/** `exports.default` is the whole module, for compilers that import it. */
const FILL = `function fill(exports) {
  factory(exports)
  Object.defineProperty(exports, 'default', { value: exports })
}`
const MODULES = `if (typeof exports == 'object' && typeof module != 'undefined') return fill(exports)
if (typeof define == 'function' && define.amd) return define(['exports'], fill)`

/** The first of two loaded scripts stays. Top-level `this` only as the last resort: it is undefined in some loaders of game engines. */
const GLOBAL = `var root = typeof globalThis != 'undefined' ? globalThis : typeof self != 'undefined' ? self : typeof global != 'undefined' ? global : this
var previous = root.Foyer
if (previous && previous.Client) return
var own = root.Foyer = { noConflict: function () { if (root.Foyer === own) root.Foyer = previous; return own } }
fill(own)`

const wrapped = (beginning: string) => ({
  banner: `(function (factory) {\n${beginning}\n})(function (exports) {`,
  footer: '})',
})

/** `index.umd.js` uses a module system if there is one; `index.iife.js` is for pages with an AMD loader, which would swallow the former. */
export function classicScripts(name: string): Rolldown.OutputOptions[] {
  const common = { format: 'cjs', exports: 'named', postBanner: LICENSE, codeSplitting: false } as const
  return [
    { ...common, ...wrapped([FILL, MODULES, GLOBAL].join('\n')), entryFileNames: `${name}.umd.js` },
    { ...common, ...wrapped([FILL, GLOBAL].join('\n')), entryFileNames: `${name}.iife.js` },
  ]
}
