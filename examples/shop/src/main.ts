import { type ActivityHost, Client, formatPrice, type HostSku } from 'foyer-sdk'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host }, backendOrigins: [location.origin] })
const $ = (id: string) => document.getElementById(id)!

/** Shows what the player owns. The backend asks the service before it answers. */
async function showItems(products: readonly HostSku[]) {
  const response = await client.backend.fetch('/api/items', { method: 'POST' })
  if (!response.ok) throw new Error('The shop does not answer. What you bought is not lost: try again.')
  const owned: string[] = await response.json()
  const names = products.map(({ id, name }) => `${owned.filter((item) => item === id).length} × ${name}`)
  $('items').textContent = `You have ${names.join(' and ')}.`
}

/** Does what a click starts, and shows why it failed. */
async function run(work: () => Promise<unknown>) {
  $('error').textContent = ''
  await work().catch((error: Error) => ($('error').textContent = error.message))
}

function createButton(window: ActivityHost, product: HostSku, products: readonly HostSku[]) {
  const button = document.createElement('button')
  button.textContent = `Buy ${product.name}: ${formatPrice(product.price, navigator.language)}`
  button.onclick = () =>
    run(async () => {
      // Its result is for the eyes of the player. The backend believes the service alone.
      await window.startPurchase({ skuId: product.id })
      await showItems(products)
    })
  return button
}

async function openShop() {
  const window = await client.activity.connect()
  await client.signIn()
  const { skus } = await window.getSkus()
  $('products').replaceChildren(...skus.map((product) => createButton(window, product, skus)))
  // Also what was bought before, while the backend was away.
  await showItems(skus)
}

if (client.activity.launch) await run(openShop)
else $('items').textContent = 'This shop opens in an Activity, at the address that the emulator prints.'
