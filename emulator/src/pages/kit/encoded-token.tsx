/** JSON Web Token as it was sent: header, claims and signature in colours of their own. */

export function EncodedToken({ token }: { token: string }) {
  const [header = '', claims = '', signature = ''] = token.split('.')
  return (
    <code class="encoded-token">
      <span class="token-header">{header}</span>.<span class="token-claims">{claims}</span>.
      <span class="token-signature">{signature}</span>
    </code>
  )
}
