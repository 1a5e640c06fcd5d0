/** Validates modals before sending (docs/interface/messages.md#modals). */
import type { Issue } from '../../shared/foundation/errors'
import { checkObject, collectIssues } from '../../shared/foundation/rules'
import { component, componentList, MODAL_TOP } from './component'
import { MessageCheck } from './message-check'
import { type MessageShape, messageText } from './message-kinds'

const MODAL: MessageShape = {
  custom_id: { is: messageText, min: 1, max: 100, required: true },
  title: { is: messageText, min: 1, max: 45, required: true },
  components: { is: componentList, of: { is: component, types: MODAL_TOP }, min: 1, max: 5, required: true },
}

/** Returns all issues of a modal: what `showModal` takes. Accepts any value and never throws. */
export function validateModal(modal: unknown): Issue[] {
  return collectIssues(new MessageCheck({ isModal: true }), (at) => {
    checkObject(modal, MODAL, at)
  })
}
