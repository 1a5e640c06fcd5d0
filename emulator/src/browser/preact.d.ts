/** Types of `preact.js`: Preact and its hooks in one file, which the emulator serves from the package `htm`. */
export { h, render, type ComponentChildren, type TargetedEvent } from 'preact'
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
