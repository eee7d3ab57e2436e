/**
 * Schemas of the protocol's messages in java-tron's JSON (protocol/http-answers.md). Fields with their default are
 * omitted, so no field is required, and there are no additional ones. Messages refer to each other, so each is one
 * component.
 */

import { contractCodec, contractTypesWithMessage } from '../protocol/contract-types.js';
import { Transaction_Contract_ContractType_type } from '../protocol/generated/tron.js';
import type { EnumType, FieldType, MessageType } from '../protocol/message-type.js';
import { allMembers, component, hex, integer, list, members, type Schema, text } from './schema.js';

/** Description of a field, from its .proto type and its JSON form. */
const FORMS = {
  address: 'Address: hex with 41, or base58 with visible',
  name: 'Text as hex, or as it is with visible',
} as const;

export class MessageSchemas {
  readonly #components = new Map<string, Schema>();

  /** All requested messages and the messages in them, by name. */
  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to the message's component. */
  of(type: MessageType): Schema {
    const name = type.fullName.replace(/^protocol\./, '').replace(/^google\.protobuf\./, '');
    if (!this.#components.has(name)) {
      // Registered before its fields are read, because it may contain itself.
      this.#components.set(name, {});
      this.#components.set(name, this.#special(name, type) ?? members(this.fields(type)));
    }
    return component(name);
  }

  /** Schemas that are not messages, by name. */
  add(name: string, schema: Schema): Schema {
    this.#components.set(name, schema);
    return component(name);
  }

  fields(type: MessageType): Record<string, Schema> {
    return Object.fromEntries(type.fields.map((field) => [field.name, this.#field(field)]));
  }

  #field(field: FieldType): Schema {
    const value = this.#value(field);
    if (field.label === 'repeated') return list(value);
    if (field.label === 'singular') return value;
    const key = field.keyKind === 'int64' ? integer() : text();
    return list(allMembers({ key, value }));
  }

  #value({ kind, form, enumType, messageType }: FieldType): Schema {
    switch (kind) {
      case 'message':
        return this.of(messageType as MessageType);
      case 'enum':
        return enumSchema(enumType as EnumType);
      case 'bytes':
        return form === 'hex' ? hex() : text(FORMS[form]);
      case 'int32':
        return { type: 'integer', format: 'int32' };
      case 'int64':
        return integer();
      case 'double':
        return { type: 'number', format: 'double' };
      case 'bool':
        return { type: 'boolean' };
      case 'string':
        return text();
    }
  }

  /** Messages whose JSON differs from their fields. */
  #special(name: string, type: MessageType): Schema | undefined {
    switch (name) {
      case 'Transaction':
        return members({
          ...this.fields(type),
          txID: hex('sha256 of raw_data'),
          raw_data_hex: hex(),
          contract_address: hex('Of a deployment: the address of the new contract'),
          visible: { type: 'boolean', description: 'Of a built transaction: parameters of the request' },
        });
      case 'Transaction.Contract':
        return members({
          parameter: members({ value: this.#contractMessages(), type_url: text() }),
          type: {
            type: 'string',
            enum: [...Object.keys(Transaction_Contract_ContractType_type.values), 'UNRECOGNIZED'],
          },
          Permission_id: { type: 'integer', format: 'int32' },
        });
      case 'Block':
        return members({
          blockID: hex(),
          block_header: this.of(blockHeaderOf(type)),
          transactions: this.#field(transactionsOf(type)),
        });
      default:
        return undefined;
    }
  }

  #contractMessages(): Schema {
    const types = contractTypesWithMessage().map((number) => contractCodec(number)?.type);
    const messages = types.filter((type) => type !== undefined).map((type) => this.of(type));
    return { anyOf: messages };
  }
}

function blockHeaderOf(block: MessageType): MessageType {
  return block.fieldByName.get('block_header')?.messageType as MessageType;
}

function transactionsOf(block: MessageType): FieldType {
  return block.fieldByName.get('transactions') as FieldType;
}

/** A number without a name is shown as a number. */
function enumSchema({ values }: EnumType): Schema {
  return { anyOf: [{ type: 'string', enum: Object.keys(values) }, { type: 'integer' }] };
}
