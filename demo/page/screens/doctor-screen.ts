/** Panel of the doctor screen. */
import { DoctorPanel } from '../panels/doctor-panel'

export const PANELS = { doctor: DoctorPanel }
