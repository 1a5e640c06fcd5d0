/** Quests: enrollments, set by hand, and the timer that the game starts. Assumed as a whole: there is no public documentation. */
import type { Clock } from '../foundation/clock.js'

/** Id of the quest that GET_QUEST returns. */
export const DEFAULT_QUEST = '1288200000000000001'

interface Enrollment {
  /** Date, without a time. */
  enrolledAt: string
  timer: boolean
}

export class QuestStore {
  readonly #clock: Clock
  readonly #enrollments = new Map<string, Enrollment>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  enroll(userId: string, questId = DEFAULT_QUEST) {
    const enrolledAt = new Date(this.#clock.now()).toISOString().slice(0, 10)
    this.#enrollments.set(`${questId} ${userId}`, { enrolledAt, timer: false })
    return { quest_id: questId, is_enrolled: true, enrolled_at: enrolledAt }
  }

  status(userId: string, questId = DEFAULT_QUEST) {
    const enrollment = this.#enrollments.get(`${questId} ${userId}`)
    return { quest_id: questId, is_enrolled: enrollment !== undefined, enrolled_at: enrollment?.enrolledAt ?? null }
  }

  /** Returns true if the player is enrolled. */
  startTimer(userId: string, questId: string): boolean {
    const enrollment = this.#enrollments.get(`${questId} ${userId}`)
    if (enrollment !== undefined) enrollment.timer = true
    return enrollment !== undefined
  }

  clear(): void {
    this.#enrollments.clear()
  }
}
