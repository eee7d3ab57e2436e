import { useEffect, useState } from 'preact/hooks';

/** The wall clock, in whole seconds: all of a screen's relative times change together. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
