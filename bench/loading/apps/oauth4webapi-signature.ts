/** `oauth4webapi` with its check of the ID token's signature. */
import { signInWithPopup } from './oauth4webapi'

signInWithPopup({ checkSignature: true })
