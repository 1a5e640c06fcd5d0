/** Text with a turning circle, while something takes a moment. */

export function Busy({ text }: { text: string }) {
  return (
    <span class="busy">
      <span class="spinner" aria-hidden="true" />
      <span>{text}</span>
    </span>
  )
}
