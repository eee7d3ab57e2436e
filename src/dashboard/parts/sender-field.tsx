/** Who sends what a form makes: an account of the node, or an injected wallet. */

import { useEffect } from 'preact/hooks';
import { rpc } from '../chain/ask.js';
import { useAnswer } from '../chain/chain-context.js';
import { connectWallet, hasWallet, type Sender } from '../chain/send.js';
import { toBase58 } from './address-forms.js';
import { Empty } from './panel.js';

interface SenderFieldProps {
  readonly sender: Sender | undefined;
  readonly choose: (sender: Sender | undefined) => void;
  /** Where developer methods are off, the node sends for nobody. */
  readonly isReadOnly: boolean;
}

const WALLET = 'wallet';

export function SenderField({ sender, choose, isReadOnly }: SenderFieldProps) {
  const accounts = useAnswer(['accounts', isReadOnly], async () =>
    isReadOnly
      ? []
      : (await rpc<readonly string[]>('eth_accounts', [], 'eth')).flatMap((address) => toBase58(address) ?? []),
  );
  const senders = (accounts.data ?? []).map((address, at) => ({
    address,
    name: `(${at}) ${address}`,
    isWallet: false,
  }));
  const [first] = senders;
  useEffect(() => {
    if (sender === undefined && first !== undefined) choose(first);
  }, [first?.address]);
  if (isReadOnly && !hasWallet()) {
    return <Empty>This node sends for nobody (--no-dev-methods), and there is no wallet in this browser.</Empty>;
  }
  const change = async (address: string) =>
    choose(address === WALLET ? await connectWallet() : senders.find((known) => known.address === address));
  return (
    <label class="field">
      Sender
      <select
        value={sender?.isWallet === true ? WALLET : (sender?.address ?? '')}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      >
        {sender === undefined && <option value="">–</option>}
        {senders.map(({ address, name }) => (
          <option key={address} value={address}>
            {name}
          </option>
        ))}
        {hasWallet() && (
          <option value={WALLET}>
            {sender?.isWallet === true ? `Wallet: ${sender.address}` : 'Wallet of this browser'}
          </option>
        )}
      </select>
    </label>
  );
}
