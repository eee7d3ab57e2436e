import type { Amount } from '../../chain/answers.js';
import { rpc } from '../../chain/ask.js';
import { ActionForm, type Field } from '../../parts/action-form.js';
import { toBase58 } from '../../parts/address-forms.js';
import { formatTrx, sunOf } from '../../parts/amounts.js';
import { Panel } from '../../parts/panel.js';
import { Address } from '../../parts/values.js';

const ACCOUNT: Field = { name: 'Account', hint: 'T…, 41… or 0x…' };

export function AccountControls() {
  return (
    <Panel title="Accounts">
      <ActionForm
        title="Faucet"
        button="Give"
        fields={[ACCOUNT, { name: 'Amount', hint: 'TRX', initial: '1000', isNumber: true }]}
        act={([account = '', amount = '']) => change('tron_addBalance', account, amount)}
      />
      <ActionForm
        title="Set the balance"
        button="Set"
        fields={[ACCOUNT, { name: 'Balance', hint: 'TRX', isNumber: true }]}
        act={([account = '', amount = '']) => change('tron_setBalance', account, amount)}
      />
      <ActionForm
        title="Impersonate"
        button="Start"
        fields={[ACCOUNT]}
        act={async ([account = '']) => {
          const address = addressOf(account);
          await rpc('tron_impersonate', [address]);
          return (
            <>
              The node accepts transactions of <Address value={address} /> without a signature.
            </>
          );
        }}
      />
      <ActionForm
        title="Stop impersonating"
        button="Stop"
        fields={[ACCOUNT]}
        act={async ([account = '']) => {
          await rpc('tron_stopImpersonating', [addressOf(account)]);
          return 'Its transactions need a signature again.';
        }}
      />
    </Panel>
  );
}

async function change(method: string, account: string, trx: string) {
  const address = addressOf(account);
  const { balance } = await rpc<{ readonly balance: Amount }>(method, [address, sunOf(trx).toString()]);
  return (
    <>
      <Address value={address} /> has {formatTrx(balance)} TRX.
    </>
  );
}

function addressOf(text: string): string {
  const address = toBase58(text);
  if (address === undefined) throw new Error('Account: expected an address (T…, 41… or 0x…).');
  return address;
}
