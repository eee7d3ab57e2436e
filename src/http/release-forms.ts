/**
 * What java-tron's HTTP API of later releases does otherwise, each with its release
 * (protocol/http.md#version-differences, and java-tron's pull requests 6658, 6699, 6701 and 6843). Whoever reads a
 * request or answers it asks for one by its name.
 */

import { FIRST_RELEASE, isSince, type Release } from '../primitives/release.js';

const SINCE = {
  /** GET takes `int64_as_string`. */
  longsAsTexts: '4.8.2',
  /** Its own reader of JSON has taken the place of fastjson: errors name another class. */
  ownJson: '4.8.2',
  /** A body that is too long has the status 413 and never gets to a servlet. */
  longBodiesRefused: '4.8.2',
} as const satisfies Readonly<Record<string, Release>>;

export type HttpForms = Readonly<Record<keyof typeof SINCE, boolean>>;

export function httpFormsOf(release: Release): HttpForms {
  return Object.fromEntries(Object.entries(SINCE).map(([form, since]) => [form, isSince(since, release)])) as HttpForms;
}

export const FIRST_FORMS: HttpForms = httpFormsOf(FIRST_RELEASE);
