/** The members of an explanation that users compare with what they know from elsewhere. */

import type { Host } from './user.js';

export interface Explained {
  readonly type: string;
  readonly outcome: { readonly result: string };
  readonly energy?: { readonly penalty: number };
  readonly charges: readonly {
    readonly resource: string;
    readonly source: string;
    readonly reason: string;
    readonly amount: number;
    readonly units?: number;
  }[];
}

/** Undefined: there is none. Of a block whose state is not kept, the node says so. */
export async function explained({ asker }: Host, txId: string): Promise<Explained | undefined> {
  const answer = await asker.get(`/sunup/explain?txid=${txId}`);
  return answer?.startsWith('200 ') ? (JSON.parse(answer.slice(4)) as Explained) : undefined;
}
