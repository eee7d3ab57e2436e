/**
 * Smart contracts: reading, deploying, calling (protocol/http.md#transaction-builders-post-under-wallet,
 * #broadcast-sign-helpers-calls, #contracts, protocol/http-requests.md#contract-call-parameters,
 * protocol/http-errors.md#errors-of-calls, protocol/http-endpoints.md#triggersmartcontract, #deploycontract, #getcontract-getcontractinfo).
 */

import { JavaException } from '../../errors/java-exception.js';
import { type Hex, utf8ToHex } from '../../primitives/hex.js';
import {
  BytesMessage,
  EstimateEnergyMessage,
  Return,
  Return_response_code,
  TransactionExtention,
} from '../../protocol/generated/api.js';
import {
  CreateSmartContract,
  SmartContract,
  SmartContract_ABI,
  SmartContractDataWrapper,
  TriggerSmartContract,
} from '../../protocol/generated/smart-contract.js';
import { Transaction } from '../../protocol/generated/tron.js';
import { keccak256OfHex } from '../../protocol/hashes.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { compactMembers, compactObject, type Member, printMessage } from '../../protocol/json/message-printer.js';
import { readMessage } from '../../protocol/json/message-reader.js';
import { printBuiltTransaction } from '../../protocol/json/transaction-json.js';
import { exactLongMember, isSetMember, type JsonObject, textMember } from '../../protocol/json/value.js';
import type { MessageCodec, Sent } from '../../protocol/message-type.js';
import type { WalletContext } from '../../wallet/context.js';
import {
  type CallAnswer,
  deployContract,
  estimateEnergy,
  getContract,
  getContractInfo,
  triggerConstantContract,
  triggerContract,
} from '../../wallet/contracts.js';
import { readAddressValue } from '../address-value.js';
import { extraDataOption, permissionOption } from '../builder-endpoint.js';
import { printWithConsole } from '../console-json.js';
import { errorOfRelease } from '../errors.js';
import { BODY_LIMITS, type JsonBody } from '../json-body.js';
import { addressOrEmpty, CONFIRMED, type HttpEndpoint, queryEndpoint, WALLET } from '../table.js';
import type { WireRequest } from '../wire-request.js';

/** getcontract and getcontractinfo copy their GET parameter into a JSON body, after they decode base58. */
function readContractQuery(request: WireRequest) {
  const visible = request.visibleParameter;
  const text = request.parameter('value');
  const value = visible ? addressOrEmpty(text) : text;
  const body = value === undefined ? '{}' : `{"value":${JSON.stringify(value)}}`;
  return { message: readMessage(BytesMessage, body, visible), visible };
}

function readDeployment(body: JsonObject, visible: boolean): Sent<CreateSmartContract> {
  const ownerText = textMember(body, 'owner_address');
  const owner = visible ? addressOrEmpty(ownerText) : readHex(ownerText ?? '');
  const callTokenValue = exactLongMember(body, 'call_token_value');
  const tokenId = exactLongMember(body, 'token_id');
  // The ABI is inserted into a message of its own, unchecked.
  const abi = body.has('abi')
    ? readMessage(SmartContract_ABI, `{"entrys":${textMember(body, 'abi') ?? 'null'}}`, visible, BODY_LIMITS)
    : SmartContract_ABI.empty;
  const callValue = exactLongMember(body, 'call_value');
  const consumeUserResourcePercent = exactLongMember(body, 'consume_user_resource_percent');
  const originEnergyLimit = exactLongMember(body, 'origin_energy_limit');
  let bytecode = textMember(body, 'bytecode');
  if (body.has('parameter')) {
    bytecode = `${bytecode ?? 'null'}${textMember(body, 'parameter') ?? 'null'}`;
  }
  return CreateSmartContract.create({
    owner_address: owner,
    call_token_value: callTokenValue,
    token_id: tokenId,
    new_contract: SmartContract.create({
      origin_address: owner,
      abi,
      bytecode: readHex(bytecode ?? ''),
      call_value: callValue,
      consume_user_resource_percent: consumeUserResourcePercent,
      origin_energy_limit: originEnergyLimit,
      name: textMember(body, 'name') ?? '',
    }),
  });
}

function answerDeployment(view: WalletContext, request: WireRequest): string {
  const { object, visible } = request.bodyOrForm;
  const contract = readDeployment(object, visible);
  const feeLimitSun = exactLongMember(object, 'fee_limit');
  const transaction = deployContract(view, contract, { feeLimitSun, ...permissionOption(object) });
  return `${printBuiltTransaction(transaction, visible)}\n`;
}

/** Parameters of a call; `visible` is known after the body was parsed as JSON. */
interface CallRequest {
  readonly contract: Sent<TriggerSmartContract>;
  readonly body: JsonObject;
}

function readCall({ text, object: body, visible }: JsonBody, check: (body: JsonObject) => void): CallRequest {
  check(body);
  let contract = readMessage(TriggerSmartContract, text, visible);
  const selector = textMember(body, 'function_selector') ?? '';
  if (selector !== '') {
    contract = { ...contract, data: readHex(callData(selector, textMember(body, 'parameter') ?? '')) };
  }
  return { contract, body };
}

/** The first four bytes of the selector's hash, followed by the parameters as text. */
function callData(selector: string, parameter: string): Hex {
  return `${keccak256OfHex(utf8ToHex(selector)).slice(0, 8)}${parameter}`;
}

function invalidParameter(message: string): JavaException {
  return new JavaException('java.security.InvalidParameterException', message);
}

function checkOwner(body: JsonObject): void {
  if (!isSetMember(body, 'owner_address')) {
    throw invalidParameter("owner_address isn't set.");
  }
}

function checkTrigger(body: JsonObject): void {
  checkOwner(body);
  if (!isSetMember(body, 'contract_address')) {
    throw invalidParameter("contract_address isn't set.");
  }
}

function checkConstantCall(body: JsonObject): void {
  checkOwner(body);
  if (isSetMember(body, 'contract_address')) {
    return;
  }
  if (!isSetMember(body, 'data')) {
    throw invalidParameter('At least one of contract_address and data must be set.');
  }
  if (isSetMember(body, 'function_selector')) {
    throw invalidParameter('While trying to deploy, function_selector and data can not be both set.');
  }
}

/** The `result` of a failed call (protocol/http-errors.md#errors-of-calls): never `{"Error":…}`. */
function failure(thrown: unknown, { forms }: WireRequest): Return {
  const error = errorOfRelease(forms, thrown);
  if (!(error instanceof JavaException)) {
    throw error;
  }
  const isRefusal = error.code === 'CONTRACT_VALIDATE';
  const text = isRefusal
    ? String(error.javaMessage)
    : `class ${error.javaClass} : ${error.javaMessage?.replaceAll('"', "'") ?? 'null'}`;
  return Return.create({
    code: isRefusal ? Return_response_code.CONTRACT_VALIDATE_ERROR : Return_response_code.OTHER_ERROR,
    message: utf8ToHex(text),
  });
}

/** Prints the transaction as builders do. HTTP omits its id. */
function printCall(answer: CallAnswer, visible: boolean): string {
  const { consoleCalls, internal_transactions } = answer;
  const members = compactMembers(TransactionExtention, { ...answer, transaction: undefined, txid: '' }, visible).map(
    (member): Member =>
      member[0] === 'internal_transactions' && consoleCalls !== undefined
        ? [member[0], printWithConsole(internal_transactions, consoleCalls, visible)]
        : member,
  );
  if (answer.result?.result === true && answer.transaction !== undefined) {
    return compactObject([['transaction', printBuiltTransaction(answer.transaction, visible)], ...members]);
  }
  return compactObject(members);
}

/** An endpoint for calls: every failure, also of the parsers, becomes a `result`. */
function callEndpoint<A>(
  name: string,
  services: HttpEndpoint<WalletContext>['services'],
  check: (body: JsonObject) => void,
  operation: (view: WalletContext, call: CallRequest, visible: boolean) => A,
  print: (answer: A, visible: boolean) => string,
  failed: (result: Return) => A,
  response: MessageCodec<A>,
): HttpEndpoint<WalletContext> {
  return {
    name,
    services,
    get: 'empty',
    post: 'answers',
    callers: 'anyone',
    request: TriggerSmartContract.type,
    response: response.type,
    isCostly: true,
    answer: (view, request) => {
      let visible = false;
      let answer: A;
      try {
        visible = request.body.visible;
        answer = operation(view, readCall(request.body, check), visible);
      } catch (error) {
        answer = failed(failure(error, request));
      }
      return `${print(answer, visible)}\n`;
    },
  };
}

const failedCall = (result: Return) => TransactionExtention.create({ result });

export const contractEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  {
    name: 'deploycontract',
    services: WALLET,
    get: 'empty',
    post: 'answers',
    callers: 'anyone',
    request: CreateSmartContract.type,
    response: Transaction.type,
    answer: answerDeployment,
  },
  callEndpoint(
    'triggersmartcontract',
    WALLET,
    checkTrigger,
    (view, { contract, body }) =>
      triggerContract(view, contract, {
        feeLimitSun: exactLongMember(body, 'fee_limit'),
        ...permissionOption(body),
      }),
    printCall,
    failedCall,
    TransactionExtention,
  ),
  callEndpoint(
    'triggerconstantcontract',
    CONFIRMED,
    checkConstantCall,
    (view, { contract, body }, visible) =>
      triggerConstantContract(view, contract, { ...permissionOption(body), ...extraDataOption(body, visible) }),
    printCall,
    failedCall,
    TransactionExtention,
  ),
  callEndpoint(
    'estimateenergy',
    CONFIRMED,
    checkConstantCall,
    (view, { contract }) => estimateEnergy(view, contract),
    (answer, visible) => printMessage(EstimateEnergyMessage, answer, visible),
    (result) => EstimateEnergyMessage.create({ result }),
    EstimateEnergyMessage,
  ),
  queryEndpoint({
    name: 'getcontract',
    body: 'form',
    request: BytesMessage,
    query: { value: 'hex' },
    readGet: readContractQuery,
    readPost: readAddressValue,
    operation: getContract,
    response: SmartContract,
    print: 'compact',
  }),
  queryEndpoint({
    name: 'getcontractinfo',
    body: 'form',
    request: BytesMessage,
    query: { value: 'hex' },
    readGet: readContractQuery,
    readPost: readAddressValue,
    operation: getContractInfo,
    response: SmartContractDataWrapper,
    print: 'compact',
  }),
];
