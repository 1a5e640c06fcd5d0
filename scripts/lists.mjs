/** The two lists of what proves the project: `merge` before each landing, `proof` every night and before a release. */

/**
 * @typedef Step
 * @property {string} run A shell command.
 * @property {number} minutes On two cores, about.
 * @property {string[]} [programs] Debian's packages that it needs beside Node.
 */

const CHROMIUM = ['chromium', 'chromium-headless-shell']
const DESKTOP = ['xdg-utils', 'libglib2.0-bin', 'xvfb', 'xauth']
/** Firefox, and WebKit with the display and fonts that it needs. `xvfb-run` needs `xauth`, which `xvfb` only recommends. */
const ENGINES = [
  ...CHROMIUM,
  'firefox-esr',
  'webkit2gtk-driver',
  'xvfb',
  'xauth',
  'libegl1',
  'libgles2',
  'libgl1-mesa-dri',
  'fonts-dejavu-core',
]
const REDIS = ['redis-server']

/** @param {string} name */
const lane = (name) => `npx vitest run --project ${name}`

/** @type {Record<'merge' | 'proof', Record<string, Step>>} */
export const LISTS = {
  merge: {
    // As the README says it.
    fast: { run: 'npm ci && npm test', minutes: 3 },
    build: { run: 'npm run build', minutes: 1 },
    check: { run: 'npm run check', minutes: 2 },
    browser: { run: lane('browser'), minutes: 11, programs: [...CHROMIUM, ...DESKTOP] },
    engines: { run: lane('engines'), minutes: 12, programs: ENGINES },
    redis: { run: lane('redis'), minutes: 3, programs: [...REDIS, 'chromium-headless-shell'] },
    packages: { run: lane('packages'), minutes: 3, programs: CHROMIUM },
  },
  proof: {
    build: { run: 'npm run build', minutes: 1 },
    size: { run: 'npm run size', minutes: 1 },
    generated: { run: lane('generated'), minutes: 1 },
    'browser-proof': { run: lane('browser-proof'), minutes: 12, programs: [...CHROMIUM, ...DESKTOP] },
    'engines-proof': { run: lane('engines-proof'), minutes: 11, programs: ENGINES },
    'redis-proof': { run: lane('redis-proof'), minutes: 8, programs: [...REDIS, 'chromium-headless-shell'] },
    'packages-proof': { run: lane('packages-proof'), minutes: 7, programs: CHROMIUM },
    examples: { run: lane('examples'), minutes: 8, programs: CHROMIUM },
    site: { run: lane('site'), minutes: 8, programs: CHROMIUM },
    bench: { run: 'npm run bench -- --assert', minutes: 20, programs: [...CHROMIUM, ...REDIS] },
    looks: { run: 'npm run looks', minutes: 25, programs: ENGINES },
    runtimes: { run: 'npm run runtimes', minutes: 3, programs: REDIS },
    failover: { run: 'npm run failover', minutes: 5, programs: REDIS },
    outage: { run: 'npm run outage', minutes: 2 },
    fuzz: { run: 'npm run fuzz', minutes: 40 },
  },
}
