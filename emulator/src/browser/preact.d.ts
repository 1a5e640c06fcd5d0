/** Types of `preact.js`: Preact and its hooks in one file, which the emulator serves from the package `htm`. */
export { createContext, h, render, type ComponentChildren, type TargetedEvent } from 'preact'
export { useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
