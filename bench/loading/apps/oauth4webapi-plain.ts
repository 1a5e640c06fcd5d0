/** `oauth4webapi` as its examples use it: the connection to the token endpoint stands for the signature. */
import { signInWithPopup } from './oauth4webapi'

signInWithPopup({ checkSignature: false })
