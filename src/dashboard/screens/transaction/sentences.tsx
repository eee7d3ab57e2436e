/** The node's explanation in words: sections with a first line and indented details. */

export function Sentences({ lines }: { readonly lines: readonly string[] }) {
  return (
    <div class="sentences">
      {sectionsOf(lines).map(([first = '', ...details]) =>
        details.length === 0 ? (
          <p key={first}>{first}</p>
        ) : (
          <section key={first}>
            <h3>{first}</h3>
            {details.map((line) => (
              <p key={line} class={`indent-${Math.min(3, Math.floor((line.length - line.trimStart().length) / 2))}`}>
                {line.trim()}
              </p>
            ))}
          </section>
        ),
      )}
    </div>
  );
}

/** Empty lines separate sections. The first two lines repeat the summary. */
function sectionsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const sections: string[][] = [[]];
  for (const line of lines.slice(lines.indexOf('') + 1)) {
    if (line === '') sections.push([]);
    else sections.at(-1)?.push(line);
  }
  return sections.filter(({ length }) => length > 0);
}
