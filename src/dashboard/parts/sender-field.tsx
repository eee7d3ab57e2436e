/** Who sends what a form makes: an account of the node, or an injected wallet. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { rpc } from '../chain/ask.js';
import { useAnswer } from '../chain/chain-context.js';
import { toBase58 } from './address-forms.js';
import { Empty } from './panel.js';
import { accountSender, type Sender } from './send.js';
import { useWallets } from './wallets.js';

interface SenderFieldProps {
  readonly sender: Sender | undefined;
  readonly choose: (sender: Sender | undefined) => void;
  /** Where developer methods are off, the node sends for nobody. */
  readonly isReadOnly: boolean;
}

export function SenderField({ sender, choose, isReadOnly }: SenderFieldProps) {
  const wallets = useWallets();
  const [problem, setProblem] = useState<string>();
  const accounts = useAnswer(['accounts', isReadOnly], async () =>
    isReadOnly
      ? []
      : (await rpc<readonly string[]>('eth_accounts', [], 'eth')).flatMap((address) => toBase58(address) ?? []),
  );
  const addresses = accounts.data ?? [];
  const [first] = addresses;
  // A wallet may answer before the node does, or after it: the choice of the reader remains.
  const hasChosen = useRef(false);
  const chooseFirst = () => {
    if (!hasChosen.current && sender === undefined && first !== undefined) choose(accountSender(first));
  };
  // Also after a refusal: the accounts may have come while the wallet was asked.
  useEffect(chooseFirst, [first, problem]);
  if (isReadOnly && wallets.length === 0) {
    return <Empty>This node sends for nobody (--no-dev-methods), and there is no wallet in this browser.</Empty>;
  }
  const change = async (key: string) => {
    setProblem(undefined);
    hasChosen.current = true;
    const wallet = wallets.find((known) => known.key === key);
    try {
      choose(wallet === undefined ? accountSender(key) : await wallet.connect());
    } catch (error) {
      setProblem((error as Error).message);
      hasChosen.current = false;
    }
  };
  return (
    <>
      <label class="field">
        Sender
        <select
          // Drawn again after a refusal: then the former sender remains.
          key={problem}
          value={sender?.key ?? ''}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        >
          {sender === undefined && <option value="">–</option>}
          {addresses.map((address, at) => (
            <option key={address} value={address}>
              ({at}) {address}
            </option>
          ))}
          {wallets.map(({ key, name }) => (
            <option key={key} value={key}>
              {sender?.key === key ? `${name}: ${sender.address}` : name}
            </option>
          ))}
        </select>
      </label>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
