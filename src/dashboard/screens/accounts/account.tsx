/** One account: balance, resources, stakes, delegations, votes, permissions, tokens, history. */

import { Link } from 'wouter-preact';
import { wallet } from '../../chain/ask.js';
import { useAnswer } from '../../chain/chain-context.js';
import type { ChainParametersAnswer } from '../../chain/governance-answers.js';
import { toBase58, toEthereum, toHex } from '../../parts/address-forms.js';
import { shortened } from '../../parts/amounts.js';
import { Copy } from '../../parts/copy.js';
import { AddressMark } from '../../parts/fork-marks.js';
import { Answered, Empty, Fact, Facts, Panel, Screen } from '../../parts/panel.js';
import { Moment, Trx } from '../../parts/values.js';
import { type AccountState, accountState } from './account-state.js';
import { Delegations } from './delegations.js';
import { History } from './history.js';
import { Permissions } from './permissions.js';
import { Resources } from './resources.js';
import { Stakes } from './stakes.js';
import { Tokens } from './tokens.js';
import { Votes } from './votes.js';

/** @param text an address in any form */
export function Account({ text }: { readonly text: string }) {
  const address = toBase58(text);
  return (
    <Screen
      title={address === undefined ? 'Account' : `Account ${shortened(address)}`}
      about={address !== undefined && <AddressMark address={address} of="account" />}
    >
      {address === undefined ? (
        <Empty>“{text.slice(0, 70)}” is not an address: a character is missing or wrong.</Empty>
      ) : (
        <Known address={address} />
      )}
    </Screen>
  );
}

function Known({ address }: { readonly address: string }) {
  const answer = useAnswer(['account', address], () => accountState(address));
  return (
    <Answered of={answer}>
      {(state) => (
        <>
          <Summary {...state} />
          {state.account !== undefined && (
            <>
              <Resources {...state} account={state.account} />
              <Stakes {...state} account={state.account} />
              <Delegations address={address} />
              <Votes {...state} account={state.account} />
              <Permissions account={state.account} />
            </>
          )}
          <Tokens address={address} assets={state.account?.assetV2 ?? []} />
          <History address={address} />
        </>
      )}
    </Answered>
  );
}

function Summary({ address, account }: AccountState) {
  const kinds = [account?.type === 'Contract' && 'Contract', account?.is_witness === true && 'Witness'].filter(Boolean);
  return (
    <Panel
      title="Summary"
      aside={kinds.map((kind) => (
        <span class="result" key={String(kind)}>
          {kind}
        </span>
      ))}
      isWide
    >
      {account === undefined ? (
        <NotActivated />
      ) : (
        <p class="value balance">
          <Trx sun={account.balance ?? 0} />
        </p>
      )}
      <Facts>
        <Form name="Address" text={address} what="address" />
        <Form name="In hex" text={toHex(address)} what="hex address" />
        <Form name="For Ethereum tools" text={toEthereum(address)} what="Ethereum address" />
        {account?.account_name !== undefined && <Fact name="Name">{account.account_name}</Fact>}
        {account?.type === 'Contract' && (
          <Fact name="Contract">
            <Link href={`/contracts/${address}`}>Open the contract</Link>
          </Fact>
        )}
        {account?.create_time !== undefined && (
          <Fact name="Created">
            <Moment timestampMs={account.create_time} />
          </Fact>
        )}
        {account?.latest_opration_time !== undefined && (
          <Fact name="Last transaction">
            <Moment timestampMs={account.latest_opration_time} />
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

function Form({ name, text, what }: { readonly name: string; readonly text: string; readonly what: string }) {
  return (
    <Fact name={name}>
      <code class="hash">{text}</code> <Copy text={text} what={what} />
    </Fact>
  );
}

/** The fees that its first transaction costs the sender. */
function NotActivated() {
  const { data } = useAnswer(['parameters'], () => wallet<ChainParametersAnswer>('getchainparameters'));
  const value = (key: string) => data?.chainParameter.find((parameter) => parameter.key === key)?.value ?? 0;
  return (
    <div class="notice">
      <p>
        <b>This account is not activated.</b> It has an address, but no record on the chain. The first transfer of TRX
        or of a TRC-10 token to it activates it. It can hold TRC-20 tokens already.
      </p>
      {data !== undefined && (
        <p>
          The sender of that transfer pays <Trx sun={value('getCreateNewAccountFeeInSystemContract')} />, and{' '}
          <Trx sun={value('getCreateAccountFee')} /> where its stake does not pay the Bandwidth.
        </p>
      )}
    </div>
  );
}
