/** Tells a production build from one for development. */

declare const process: { readonly env: { readonly NODE_ENV?: string } }

/** True if `NODE_ENV` is `production`: bundlers write it into a build, backends run with it. A page without a bundler has none. */
export function isProductionBuild(): boolean {
  try {
    return process.env.NODE_ENV === 'production'
  } catch {
    return false
  }
}
