/** Forms of a port report: text, Markdown, HTML, JSON. Names in it are foreign text. */

import type { Weight } from '../explanation/porting/differences.js';
import type { Finding, FindingSite, PortReport } from '../explanation/porting/port-report.js';
import { writeJson } from '../primitives/amount-json.js';
import { escapedHtml } from '../primitives/html-text.js';
import { printableLine } from '../primitives/printable.js';
import type { Section } from '../prose/report.js';
import { htmlPage, sectionHtml } from '../scenario/report/html.js';
import { escaped, sectionMarkdown } from '../scenario/report/markdown.js';
import { sectionTable } from '../scenario/report/table.js';
import {
  costSections,
  explanations,
  feeLimitText,
  HEADINGS,
  NO_FINDINGS,
  NOTES,
  oftenText,
  ruleText,
  scope,
  summary,
  TITLE,
  whereText,
  whoText,
} from './report-parts.js';

export type ReportForm = 'text' | 'json' | 'markdown' | 'html';

/** Chosen by the file's extension; default: text. */
export function formOf(file: string): ReportForm {
  if (/\.json$/i.test(file)) return 'json';
  if (/\.(md|markdown)$/i.test(file)) return 'markdown';
  return /\.html?$/i.test(file) ? 'html' : 'text';
}

/** @param source a file or a node */
export function reportIn(form: ReportForm, report: PortReport, source: string): string {
  if (form === 'json') return `${writeJson(report, 2)}\n`;
  if (form === 'markdown') return markdown(report, source);
  return form === 'html' ? html(report, source) : text(report, source);
}

const WEIGHTS = Object.keys(HEADINGS) as readonly Weight[];

function groups({ findings }: PortReport): readonly (readonly [Weight, readonly Finding[]])[] {
  return WEIGHTS.flatMap((weight) => {
    const found = findings.filter((finding) => finding.weight === weight);
    return found.length === 0 ? [] : [[weight, found] as const];
  });
}

/** More would hide the next finding; the other forms list all. */
const MAX_SITES = 12;

function text(report: PortReport, source: string): string {
  const costs = costSections(report).flatMap((section) => [section.title, sectionTable(section), '']);
  const notes = costs.length === 0 ? [] : [...NOTES, feeLimitText(report), ''];
  const findings = groups(report).flatMap(([weight, all]) => [
    HEADINGS[weight].toUpperCase(),
    '',
    ...all.flatMap((finding) => [...findingLines(finding), '']),
  ]);
  const none = findings.length === 0 ? [NO_FINDINGS, ''] : [];
  const end = [...report.problems.map(printableLine), summary(report), scope(report)];
  return [`${TITLE}: ${printableLine(source)}`, '', ...costs, ...notes, ...findings, ...none, ...end, ''].join('\n');
}

function findingLines(finding: Finding): readonly string[] {
  const { title, sites } = finding;
  const shown = sites.slice(0, MAX_SITES);
  const more = sites.length - shown.length;
  return [
    title,
    ...shown.flatMap(siteLines),
    ...(more > 0 ? [`  and ${more} more places (--json has all)`] : []),
    ...explanations(finding).map(([word, sentence]) => `    ${`${word}:`.padEnd(10)}${sentence.replaceAll('`', '')}`),
    `    ${'Rule:'.padEnd(10)}${ruleText(finding)}`,
  ];
}

function siteLines(site: FindingSite): readonly string[] {
  const head = [whereText(site), whoText(site), oftenText(site)].map(printableLine).join('  ');
  return [`  ${head}`, ...(site.text ? [`      ${printableLine(site.text)}`] : [])];
}

function sitesSection({ sites, title }: Finding): Section {
  const names = ['where', 'how often', 'contract and method', 'source'];
  return {
    title,
    columns: names.map((name) => ({ name, kind: 'text' })),
    rows: sites.map((site) => [whereText(site), oftenText(site), whoText(site), site.text ?? '']),
  };
}

/** A table without a heading: the finding has one. */
function withoutHeading(rendered: string): string {
  return rendered.slice(rendered.indexOf('\n') + 1).trimStart();
}

function markdown(report: PortReport, source: string): string {
  const findings = groups(report).flatMap(([weight, all]) => [
    `## ${HEADINGS[weight]}`,
    ...all.flatMap((finding) => [
      `### ${finding.title}`,
      explanations(finding)
        .map(([word, sentence]) => `- **${word}:** ${sentence}`)
        .concat(`- **Rule:** \`${ruleText(finding)}\``)
        .join('\n'),
      withoutHeading(sectionMarkdown(sitesSection(finding))),
    ]),
  ]);
  const costs = costSections(report).map(sectionMarkdown);
  return [
    `# ${TITLE}: ${escaped(source)}`,
    summary(report),
    scope(report),
    ...report.problems.map(escaped),
    ...(findings.length === 0 ? [NO_FINDINGS] : findings),
    ...costs,
    ...(costs.length === 0 ? [] : [[...NOTES, feeLimitText(report)].map((note) => `- ${note}`).join('\n')]),
    '',
  ].join('\n\n');
}

/** Our own sentences mark code with backticks. */
function sentenceHtml(sentence: string): string {
  return escapedHtml(sentence).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function html(report: PortReport, source: string): string {
  const paragraph = (sentence: string) => `<p>${sentenceHtml(sentence)}</p>`;
  const plain = (sentence: string) => `<p>${escapedHtml(sentence)}</p>`;
  const findings = groups(report).flatMap(([weight, all]) => [
    `<h2>${HEADINGS[weight]}</h2>`,
    ...all.flatMap((finding) => [
      `<h3>${escapedHtml(finding.title)}</h3>`,
      `<ul>${explanations(finding)
        .map(([word, sentence]) => `<li><b>${word}:</b> ${sentenceHtml(sentence)}</li>`)
        .join('')}<li><b>Rule:</b> ${escapedHtml(ruleText(finding))}</li></ul>`,
      withoutHeading(sectionHtml(sitesSection(finding))),
    ]),
  ]);
  const costs = costSections(report).map(sectionHtml);
  return htmlPage(`${TITLE}: ${source}`, [
    `<h1>${escapedHtml(`${TITLE}: ${source}`)}</h1>`,
    paragraph(summary(report)),
    paragraph(scope(report)),
    ...report.problems.map(plain),
    ...(findings.length === 0 ? [paragraph(NO_FINDINGS)] : findings),
    ...costs,
    ...(costs.length === 0 ? [] : [...NOTES, feeLimitText(report)].map(paragraph)),
  ]);
}
