/** Style sheet of all pages. */

export const style = `
:root {
  color-scheme: light dark;
  --ground: #eef0f7; --card: #fff; --ink: #1b1e2b; --quiet: #565c72; --line: #cfd3e2; --control: #7b8198;
  --accent: #3f46c9; --on-accent: #fff; --tint: #edeefc; --good: #17703c; --bad: #b3261e; --shadow: 0 12px 40px rgb(27 30 43 / 12%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12131b; --card: #1c1e2a; --ink: #eceef7; --quiet: #a9afc6; --line: #363a4e; --control: #868da8;
    --accent: #a9afff; --on-accent: #14152b; --tint: #2a2d49; --good: #7fd6a1; --bad: #ff9d94; --shadow: 0 12px 40px rgb(0 0 0 / 40%);
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 16px; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
}
header, main { max-width: 560px; margin: 0 auto; }
.badge { margin: 0 0 12px; font-size: 13px; font-weight: 600; color: var(--ink); text-align: center; }
.badge::before { content: ""; display: inline-block; width: 9px; height: 9px; margin-right: 8px; border-radius: 3px; background: var(--accent); }
.badge span { font-weight: 400; color: var(--quiet); }
.card { padding: 28px; background: var(--card); border: 1px solid var(--line); border-top: 4px solid var(--accent); border-radius: 14px; box-shadow: var(--shadow); }
.card.good { border-top-color: var(--good); }
.card.bad { border-top-color: var(--bad); }
.card > :last-child { margin-bottom: 0; }
h1 { margin: 0 0 6px; font-size: 24px; line-height: 1.25; letter-spacing: -0.01em; }
h2, legend { margin: 0; padding: 0; font-size: 14px; font-weight: 600; color: var(--quiet); }
p { margin: 0 0 12px; }
.intro { margin-bottom: 20px; }
.quiet { color: var(--quiet); font-size: 14px; }
fieldset { margin: 0 0 20px; padding: 0; border: 0; min-width: 0; }
legend { margin-bottom: 8px; }
.players { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 170px), 1fr)); gap: 8px; }
.player { display: flex; align-items: center; gap: 12px; min-height: 60px; padding: 7px 12px 7px 8px; border: 1px solid var(--line); border-radius: 12px; cursor: pointer; }
.player:hover { border-color: var(--control); }
.player img { flex: none; border-radius: 10px; display: block; }
.player .name { display: flex; flex-direction: column; line-height: 1.3; min-width: 0; flex: 1; }
.player .name span { color: var(--quiet); font-size: 13px; }
.player input { order: 1; flex: none; margin: 0; width: 20px; height: 20px; accent-color: var(--accent); }
.player:has(input:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--tint); }
.player:has(input:checked) .name span { color: var(--ink); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.player:has(input:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.player input:focus-visible { outline: none; }
.scopes { margin: 6px 0 18px; padding: 0; list-style: none; }
.scopes li { position: relative; padding: 5px 0 5px 26px; }
.scopes li::before { content: ""; position: absolute; left: 4px; top: 12px; width: 11px; height: 5px; border: solid var(--accent); border-width: 0 0 2px 2px; transform: rotate(-45deg); }
code { font: 13px/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--quiet); }
.target { margin: 0 0 18px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 14px; color: var(--quiet); }
.target code, dd code { color: var(--ink); }
.actions { display: flex; flex-wrap: wrap; gap: 10px; }
html { scroll-padding-bottom: 96px; }
.answer { display: contents; }
.answer .actions { position: sticky; bottom: 0; z-index: 1; margin: 0 -28px -28px; padding: 14px 28px; background: var(--card); border-top: 1px solid var(--line); border-radius: 0 0 14px 14px; }
.answer .actions button { flex-basis: 100px; }
[hidden] { display: none !important; }
button { flex: 1 1 130px; min-height: 46px; padding: 0 20px; border: 1px solid var(--control); border-radius: 10px; background: transparent; color: var(--ink); font: inherit; font-weight: 600; cursor: pointer; }
button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button:hover { filter: brightness(1.08); }
.places { display: grid; gap: 8px; }
.place { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; min-height: 52px; padding: 6px 12px; border: 1px solid var(--line); border-radius: 12px; }
.place label { display: flex; align-items: center; gap: 10px; flex: 1 1 160px; min-height: 38px; }
.place input { width: 20px; height: 20px; margin: 0; accent-color: var(--accent); }
select, .field input { min-height: 40px; padding: 0 10px; border: 1px solid var(--control); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit; max-width: 100%; }
.field { display: grid; gap: 6px; margin-bottom: 18px; font-weight: 600; }
.code { font: 700 26px/1.3 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: 0.08em; }
.field input.code { min-height: 54px; width: 100%; font-size: 22px; text-transform: uppercase; }
p.code { text-align: center; }
dl { margin: 0 0 16px; }
dt { margin-top: 12px; font-size: 14px; font-weight: 600; color: var(--quiet); }
dd { margin: 2px 0 0; }
a { color: var(--accent); }
pre { margin: 0 0 16px; padding: 14px 16px; border-radius: 10px; background: var(--ground); white-space: pre-wrap; }
pre code { color: var(--ink); }
.pages { margin: 6px 0 0; padding: 0; list-style: none; color: var(--quiet); font-size: 14px; }
.pages li { padding: 5px 0; }
.pages a, .pages b { margin-right: 8px; font-size: 16px; font-weight: 600; }
.problem { padding: 10px 14px; border: 1px solid var(--bad); border-radius: 10px; color: var(--bad); }
@media (max-width: 420px) {
  body { padding: 10px; }
  .card { padding: 20px 16px; }
  .answer .actions { margin: 0 -16px -20px; padding: 12px 16px; }
  .badge span { display: block; }
}
@media (forced-colors: active) {
  .player:has(input:checked) { outline: 2px solid Highlight; }
}
`

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3f46c9"/><path d="M11 25V8h11M11 16h8" fill="none" stroke="#fff" stroke-width="3.5"/></svg>'
