/**
 * What `/docs` adds to Swagger UI, as text for browsers: a start, and what makes it accessible: names for its controls,
 * landmarks, an order of headings, scrolling by keyboard, contrast. `test/browser/served-pages.test.ts` runs axe on it.
 */

/** A sun on the horizon. Without an icon of the page, browsers ask for `/favicon.ico`, which java-tron does not have. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<path fill="#e8590c" d="M3 10a5 5 0 0 1 10 0zM1 12h14v2H1z"/>
</svg>
`;

/**
 * Swagger UI names its components; a plugin wraps them. One server is described, where the page comes from, so there is
 * nothing to choose.
 */
export const START = `'use strict';
const accessible = ({ React: { createContext, createElement, Fragment, useContext } }) => {
  const ParameterName = createContext('Value');
  const readAloud = (text, tag = 'span') => createElement(tag, { className: 'only-read-aloud' }, text);
  const within = (tag, attributes, ...before) => (Original) => (props) =>
    createElement(tag, attributes, ...before, createElement(Original, props));
  return {
    wrapComponents: {
      ServersContainer: () => () => null,
      InfoContainer: within('div', { role: 'banner' }),
      AuthorizeBtnContainer: within('section', { 'aria-label': 'API keys' }, readAloud('API keys', 'h2')),
      FilterContainer: within('section', { 'aria-label': 'Filter', role: 'search' }),
      operations: within(Fragment, {}, createElement('h2', {}, 'Endpoints')),
      parameterRow: (Original) => (props) =>
        createElement(ParameterName.Provider, { value: props.rawParam.get('name') }, createElement(Original, props)),
      Select: (Original) => (props) =>
        createElement('label', {}, readAloud(useContext(ParameterName)), createElement(Original, props)),
      TextArea: within('label', {}, readAloud('Request body')),
      CloseIcon: within(Fragment, {}, readAloud('Close')),
      // Its text is its name.
      Button: (Original) => ({ 'aria-label': _, ...props }) => createElement(Original, props),
      SyntaxHighlighter: within('div', { className: 'scrolled', tabIndex: 0, role: 'group', 'aria-label': 'Code' }),
    },
  };
};
SwaggerUIBundle({
  url: 'openapi.json', dom_id: '#api', docExpansion: 'none', filter: true, tryItOutEnabled: true, validatorUrl: null,
  plugins: [accessible], syntaxHighlight: { activated: true, theme: 'tomorrow-night' },
});
`;

/** Contrast of text as WCAG 2.1 AA asks for it: 4.5 to 1. Swagger UI's selectors are strong, so are these. */
export const STYLE = `
.only-read-aloud { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.scrolled { max-height: 400px; overflow: auto; }
#api .microlight { max-height: none; overflow: visible; }
#api .info .title small { background: #4e5566; }
#api .info .title small.version-stamp { background: #4a6b00; }
#api .info a, #api .info a .url, #api .renderedMarkdown a { color: #1a5fb4; }
#api .opblock .opblock-summary-method { color: #000; text-shadow: none; }
#api .btn.authorize { border-color: #12703f; color: #12703f; }
#api .btn.authorize svg { fill: #12703f; }
#api .btn.cancel { border-color: #b3261e; color: #b3261e; }
#api .btn.execute { border-color: #1a5fb4; background: #1a5fb4; }
#api .parameter__in, #api .parameter__type, #api .prop-format { color: #4e5566; }
#api .download-contents { background: #4e5566; }
`;
