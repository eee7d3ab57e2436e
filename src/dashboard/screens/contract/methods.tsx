/** Methods of a contract as forms. A read runs without a transaction; a write is sent by an account of the node, or a wallet. */

import { useId, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { wallet } from '../../chain/ask.js';
import { useSettings } from '../../chain/chain-context.js';
import { toBase58 } from '../../parts/address-forms.js';
import { sunOf } from '../../parts/amounts.js';
import { Empty } from '../../parts/panel.js';
import { type Sender, textOf } from '../../parts/send.js';
import { SenderField } from '../../parts/sender-field.js';
import { callData, type Method, resultOf } from './contract-abi.js';

/** A caller that reads need and that never pays. */
const NOBODY = toBase58(`0x${'00'.repeat(20)}`) ?? '';

interface MethodsProps {
  readonly address: string;
  readonly methods: readonly Method[];
  /** The signature of the one whose form is open at first. */
  readonly opened: string;
}

export function Methods({ address, methods, opened }: MethodsProps) {
  const [sender, setSender] = useState<Sender>();
  const settings = useSettings();
  if (methods.length === 0) return <Empty>The ABI has no such method.</Empty>;
  const isRead = methods[0]?.isRead === true;
  return (
    <div class="methods">
      {!isRead && <SenderField sender={sender} choose={setSender} isReadOnly={settings?.devMethods !== true} />}
      {methods.map((method) => (
        <MethodForm
          key={method.signature}
          address={address}
          method={method}
          sender={sender}
          isOpened={method.signature === opened}
        />
      ))}
    </div>
  );
}

interface ConstantAnswer {
  readonly result: { readonly result?: boolean; readonly message?: string };
  readonly constant_result?: readonly string[];
  readonly energy_used?: number;
}

interface MethodFormProps {
  readonly address: string;
  readonly method: Method;
  readonly sender: Sender | undefined;
  readonly isOpened: boolean;
}

function MethodForm({ address, method, sender, isOpened }: MethodFormProps) {
  const { item, isRead, isPayable, selector } = method;
  const id = useId();
  const [texts, setTexts] = useState<readonly string[]>(item.inputs.map(() => ''));
  const [valueTrx, setValueTrx] = useState('');
  const [answer, setAnswer] = useState<{ readonly lines: readonly string[]; readonly isProblem: boolean }>();
  const [isWaiting, setWaiting] = useState(false);
  const [, go] = useLocation();

  const call = async (event: Event) => {
    event.preventDefault();
    setWaiting(true);
    try {
      const data = callData(method, texts);
      const valueSun = valueTrx.trim() === '' ? 0n : sunOf(valueTrx);
      if (isRead) {
        const {
          result,
          constant_result: [hex = ''] = [],
          energy_used: energy,
        } = await wallet<ConstantAnswer>('triggerconstantcontract', {
          ...{ owner_address: sender?.address ?? NOBODY, contract_address: address, data },
          call_value: Number(valueSun),
        });
        if (result.message !== undefined) throw new Error(textOf(result.message));
        setAnswer({
          lines: [...resultOf(method, hex), `${energy?.toLocaleString('en-US') ?? 0} Energy`],
          isProblem: false,
        });
      } else {
        if (sender === undefined) throw new Error('Choose an account that sends it.');
        go(`/transactions/${await sender.send({ to: address, data, valueSun })}`);
      }
    } catch (error) {
      setAnswer({ lines: [(error as Error).message], isProblem: true });
    } finally {
      setWaiting(false);
    }
  };

  return (
    <details class="method" open={isOpened}>
      <summary>
        <b>{item.name}</b> <code class="muted">{selector}</code>
        {isPayable && <span class="tag">payable</span>}
      </summary>
      <form onSubmit={call}>
        {item.inputs.map(({ name, type }, at) => (
          <div class="field" key={`${name}-${at}`}>
            <label for={`${id}-${at}`}>
              {name || `argument ${at}`} <code class="muted">{type}</code>
            </label>
            <input
              id={`${id}-${at}`}
              value={texts[at]}
              spellcheck={false}
              onInput={({ currentTarget }) =>
                setTexts(texts.map((text, place) => (place === at ? currentTarget.value : text)))
              }
            />
          </div>
        ))}
        {isPayable && (
          <div class="field">
            <label for={`${id}-value`}>
              value <code class="muted">TRX</code>
            </label>
            <input
              id={`${id}-value`}
              inputMode="decimal"
              value={valueTrx}
              onInput={({ currentTarget }) => setValueTrx(currentTarget.value)}
            />
          </div>
        )}
        <button type="submit" disabled={isWaiting}>
          {isRead ? 'Read' : 'Send'}
        </button>
      </form>
      {answer !== undefined && (
        <div class={answer.isProblem ? 'problem' : 'answer'} role={answer.isProblem ? 'alert' : 'status'}>
          {answer.lines.map((line, at) => (
            <p key={at}>
              <code>{line}</code>
            </p>
          ))}
        </div>
      )}
    </details>
  );
}
