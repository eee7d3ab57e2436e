/** A screen that fails says so; the rest of the page stays usable. */

import { Component, type ComponentChildren } from 'preact';

export class ErrorBoundary extends Component<{ readonly children: ComponentChildren }, { readonly error?: Error }> {
  static override getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main id="main" tabIndex={-1}>
        <h1>This screen has failed</h1>
        <p class="problem" role="alert">
          {error.message}
        </p>
        <p>
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      </main>
    );
  }
}
