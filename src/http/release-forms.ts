/**
 * Differences of later java-tron releases in the HTTP API, each with its release (protocol/http.md#version-differences,
 * and java-tron's pull requests 6658, 6699, 6701 and 6843).
 */

import { FIRST_RELEASE, isSince, type Release } from '../primitives/release.js';

const SINCE = {
  /** GET accepts `int64_as_string`. */
  longsAsTexts: '4.8.2',
  /** java-tron's own JSON parser replaces fastjson: errors have another class name. */
  ownJson: '4.8.2',
  /** An oversized body has status 413, before any servlet. */
  longBodiesRefused: '4.8.2',
} as const satisfies Readonly<Record<string, Release>>;

export type HttpForms = Readonly<Record<keyof typeof SINCE, boolean>>;

export function httpFormsOf(release: Release): HttpForms {
  return Object.fromEntries(Object.entries(SINCE).map(([form, since]) => [form, isSince(since, release)])) as HttpForms;
}

export const FIRST_FORMS: HttpForms = httpFormsOf(FIRST_RELEASE);
