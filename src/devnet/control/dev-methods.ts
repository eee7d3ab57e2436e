/** The developer methods of a node for JSON-RPC: the table of `devtools/`, loaded on first use. */

import type { DevPath } from '../../devtools/table.js';
import type { FurtherMethods } from '../../jsonrpc/table.js';
import type { Node } from '../../node/node.js';

export function devMethodsOf(node: Node): (path: DevPath) => FurtherMethods {
  return (path) => ({
    find: async (name) => {
      const { devMethods } = await import('../../devtools/methods.js');
      const method = devMethods.get(name);
      if (method === undefined) {
        const { absence } = await import('../../devtools/absent.js');
        const absent = absence(name);
        return absent && { name, callers: 'anyone', answer: () => Promise.reject(absent) };
      }
      return {
        name,
        callers: method.callers,
        answer: (parameters, requester) => method.answer({ node, path, requester }, parameters),
      };
    },
    names: async () => (await import('../../devtools/methods.js')).devMethods.keys(),
  });
}
