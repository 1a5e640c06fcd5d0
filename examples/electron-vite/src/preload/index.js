import 'foyer-sdk/electron/preload'
