/** Letting others have their turn: work that goes on for long asks here, between its steps, whether it is time. */

/** So long a request may have to wait for work that is done in steps. */
const HOLD_MS = 10;

/** Gives a function that is undefined for 10 ms, and then a promise that resolves when the event loop has gone round. */
export function turns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < HOLD_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now();
        resolve();
      }),
    );
  };
}
