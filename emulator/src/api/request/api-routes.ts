/** Routes of the API: one that changes something names the shape of its body, and reads it in one way. */
import { methodNotAllowed, refuseInvalidBody } from '../../check/api-error.js'
import { read, type Schema } from '../../check/schema.js'
import { drain, readJson } from './read-json.js'
import { Hono, type Context } from 'hono'

type Answer = Response | Promise<Response>

/** A body of this shape; a shape may depend on what the body is about. */
export interface BodyShape<Value, About = void> {
  readonly schema: (about: About) => Schema<Value>
  /** True if a request without a body counts as one with an empty object. */
  readonly mayBeAbsent?: boolean
}

export interface BodyOf<Value, About> {
  /** Called once the caller and the place are known, so that strangers learn nothing. @throws ApiError 400, 413 */
  read(about: About): Promise<Value>
  /** The same for a body that was decoded already. @throws ApiError 400 */
  accept(decoded: unknown, about: About): Value
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export class ApiRoutes {
  readonly hono = new Hono()

  get(path: string, handle: (c: Context) => Answer): void {
    this.hono.get(path, handle)
  }

  /** A route without a body. One that is sent all the same is read to its end: a request that breaks off changes nothing. */
  bare(method: Method, path: string, handle: (c: Context) => Answer): void {
    this.hono.on(method, path, async (c) => {
      await drain(c)
      return handle(c)
    })
  }

  /** A route with a body. */
  with<Value, About = void>(
    method: Exclude<Method, 'DELETE'>,
    path: string,
    shape: BodyShape<Value, About>,
    handle: (c: Context, body: BodyOf<Value, About>) => Answer,
  ): void {
    const accept = (decoded: unknown, about: About) => read(shape.schema(about), decoded, refuseInvalidBody)
    this.hono.on(method, path, (c) =>
      handle(c, {
        accept,
        read: async (about) =>
          accept(await readJson(c, shape.mayBeAbsent === true ? { absent: {} } : {}), about),
      }),
    )
  }

  /** Refuses every other method of a path. */
  refuseOthers(...paths: readonly string[]): void {
    for (const path of paths)
      this.hono.all(path, () => {
        throw methodNotAllowed('this address has no such method')
      })
  }

  add(routes: ApiRoutes): void {
    this.hono.route('/', routes.hono)
  }
}
