/** Validates modals before sending (docs/interface/messages.md#modals). */
import type { Issue } from '../../shared/foundation/errors'
import { createReader } from './create-reader'
import { MODAL_TOP } from './component-shapes'
import { CheckState, collectIssues } from './message-issue-code'

/** Returns all issues of a modal: what `showModal` takes. Accepts any value and never throws. */
export function validateModal(modal: unknown): Issue[] {
  return collectIssues(new CheckState({ isModal: true }), (place) => {
    createReader().checkFields(
      modal,
      {
        custom_id: { is: 'text', min: 1, max: 100, required: true },
        title: { is: 'text', min: 1, max: 45, required: true },
        components: { is: 'list', of: { is: 'component', of: MODAL_TOP }, min: 1, max: 5, required: true },
      },
      place,
    )
  })
}
