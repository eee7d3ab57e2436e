/** One transaction: what it did, what it cost and why, its calls, and its raw form. */

import type { ComponentChildren } from 'preact';
import type {
  CallTrace,
  Explanation,
  ReceiptAnswer,
  RecordedExplanation,
  TransactionAnswer,
} from '../../chain/answers.js';
import { AnswerError, nodeSettings, sunup, wallet } from '../../chain/ask.js';
import { useAnswer, useLastingAnswer } from '../../chain/chain-context.js';
import { ActionLine, Result } from '../../parts/actions.js';
import { useAddressState } from '../../parts/address-state.js';
import { Copy } from '../../parts/copy.js';
import { BlockMark } from '../../parts/fork-marks.js';
import { Answered, Empty, Fact, Facts, Panel, Problem, Screen } from '../../parts/panel.js';
import { textOf } from '../../parts/send.js';
import { Tabs } from '../../parts/tabs.js';
import { Address, BlockNumber, Moment, TransactionId, Trx, Units } from '../../parts/values.js';
import { Calls } from './calls.js';
import { ChangesOf } from './changes.js';
import { CostBar } from './cost-bar.js';
import { Energy } from './energy.js';
import { Logs } from './logs.js';
import { Raw } from './raw.js';
import { Sentences } from './sentences.js';
import { Steps } from './steps.js';

interface Found {
  readonly transaction: TransactionAnswer;
  readonly receipt: Partial<ReceiptAnswer>;
  /** Why there is none, for transactions that wait in the pool, and where developer methods are off. */
  readonly explanation: Explanation | Error;
}

async function find(id: string): Promise<Found> {
  const { devMethods } = await nodeSettings();
  const explanation = devMethods
    ? await sunup<Explanation | RecordedExplanation>('explain', { txid: id }).then(ofThisChain, (error: Error) => error)
    : new AnswerError('Costs and calls need developer methods, which this node does not serve to this page.', 404);
  const txid = explanation instanceof Error ? id : explanation.txid;
  const [transaction, pending, receipt] = await Promise.all([
    wallet<Partial<TransactionAnswer>>('gettransactionbyid', { value: txid }),
    wallet<Partial<TransactionAnswer>>('gettransactionfrompending', { value: txid }),
    wallet<Partial<ReceiptAnswer>>('gettransactioninfobyid', { value: txid }),
  ]);
  const known = transaction.txID === undefined ? pending : transaction;
  if (known.txID === undefined) throw new AnswerError(`The chain has no transaction ${id}.`, 404);
  return { transaction: known as TransactionAnswer, receipt, explanation };
}

/** A fork did not run the transactions of its network: it has their receipts only. */
function ofThisChain(explanation: Explanation | RecordedExplanation): Explanation | Error {
  return 'source' in explanation ? new AnswerError(explanation.text.join('\n'), 404) : explanation;
}

export function Transaction({ id }: { readonly id: string }) {
  const answer = useAnswer(['transaction', id], () => find(id));
  const block = answer.data?.receipt.blockNumber;
  return (
    <Screen title="Transaction" about={block !== undefined && <BlockMark number={block} />}>
      <Answered of={answer}>
        {(found) => (
          <>
            <Summary {...found} />
            <Details {...found} />
          </>
        )}
      </Answered>
    </Screen>
  );
}

function Summary({ transaction, receipt, explanation }: Found) {
  const [contract] = transaction.raw_data.contract;
  const known = explanation instanceof Error ? undefined : explanation;
  const owner = known?.owner ?? String(contract?.parameter.value.owner_address ?? '');
  const isPending = receipt.blockNumber === undefined;
  const memo = transaction.raw_data.data;
  return (
    <Panel
      title="Summary"
      aside={known === undefined ? isPending && <span class="result">Pending</span> : <Result {...known} />}
      isWide
    >
      {known !== undefined && (
        <p class="lead">
          <Address value={owner} /> <ActionLine action={known.action} type={known.type} />
        </p>
      )}
      <Facts>
        <Fact name="Id">
          <TransactionId value={transaction.txID} isWhole />
        </Fact>
        <Fact name="Type">{contract?.type}</Fact>
        {known === undefined && (
          <Fact name="From">
            <Address value={owner} isWhole />
          </Fact>
        )}
        {memo !== undefined && (
          <Fact name="Memo">
            <span class="memo">{memoText(memo)}</span> <Copy text={memo} what="memo in hex" />
          </Fact>
        )}
        <Fact name="Block">
          {receipt.blockNumber === undefined ? (
            'in the pool, for the next block'
          ) : (
            <>
              <BlockNumber value={receipt.blockNumber} /> · <Moment timestampMs={receipt.blockTimeStamp ?? 0} />
            </>
          )}
        </Fact>
        <Fact name="Fee">
          <Trx sun={receipt.fee ?? 0} />
        </Fact>
        {known?.energy !== undefined && (
          <Fact name="Energy">
            <Units amount={known.energy.total} />
            {Number(known.energy.penalty) > 0 && (
              <span class="muted">
                {' '}
                of which <Units amount={known.energy.penalty} /> penalty
              </span>
            )}
          </Fact>
        )}
        {known?.bandwidth !== undefined && (
          <Fact name="Bandwidth">
            <Units amount={known.bandwidth.bytes} unit="bytes" />
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

const MEMO_LENGTH = 500;
const CONTROL_PICTURES = 0x2400;

/** Text in hex. Control characters are shown as their pictures, and direction marks cannot turn what follows. */
function memoText(hex: string): string {
  const text = textOf(hex);
  const shown = text.slice(0, MEMO_LENGTH).replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
    /[\u0000-\u001f\u007f]/g,
    (control) => (control === '\u007f' ? '\u2421' : String.fromCharCode(CONTROL_PICTURES + control.charCodeAt(0))),
  );
  return text.length > MEMO_LENGTH ? `${shown}…` : shown;
}

const TABS = ['Cost', 'Changes', 'Calls', 'Energy', 'Steps', 'Events', 'Raw'] as const;

function Details({ transaction, receipt, explanation }: Found) {
  const [chosen, setTab] = useAddressState('tab', TABS[0]);
  const tab = TABS.find((name) => name === chosen) ?? TABS[0];
  const ranContract = receipt.contract_address !== undefined && !(explanation instanceof Error);
  const run = { id: transaction.txID, ranContract };
  const parts: Readonly<Record<(typeof TABS)[number], () => ComponentChildren>> = {
    Cost: () =>
      explanation instanceof Error ? (
        <Problem error={explanation} />
      ) : (
        <>
          <CostBar explanation={explanation} />
          <Sentences lines={explanation.text} />
        </>
      ),
    Changes: () =>
      explanation instanceof Error ? (
        <Problem error={explanation} />
      ) : (
        <ChangesOf transaction={transaction} owner={explanation.owner} />
      ),
    Calls: () => <CallsOf {...run} />,
    Energy: () => <Energy {...run} />,
    Steps: () => <Steps {...run} />,
    Events: () => <Logs txid={transaction.txID} receipt={receipt} />,
    Raw: () => <Raw transaction={transaction} receipt={receipt} />,
  };
  return (
    <Panel title="Details" isWide>
      <Tabs names={TABS} current={tab} choose={setTab}>
        {parts[tab]()}
      </Tabs>
    </Panel>
  );
}

function CallsOf({ id, ranContract }: { readonly id: string; readonly ranContract: boolean }) {
  const trace = useLastingAnswer(['trace', id], async () =>
    ranContract ? await sunup<CallTrace>('trace', { txid: id, sources: true }) : null,
  );
  return (
    <Answered of={trace}>
      {(found) =>
        found?.call === undefined ? (
          <Empty>This transaction ran no contract.</Empty>
        ) : (
          <Calls call={found.call} {...(found.files && { files: found.files })} />
        )
      }
    </Answered>
  );
}
