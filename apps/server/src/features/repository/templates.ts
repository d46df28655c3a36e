import { fileURLToPath } from 'node:url';
import type { Template } from '@cannery/contract';

/** A starter template: an example of the project that becomes a repository of the user. */
export interface StarterTemplate extends Template {
  readonly folder: string;
  /** What a deploy of it creates, by the names that its settings give. */
  readonly canisters: readonly { readonly name: string; readonly kind: 'site' | 'motoko' }[];
}

function example(name: string): string {
  return fileURLToPath(new URL(`../../../../../examples/${name}`, import.meta.url));
}

/** The starter templates in the order they are offered. */
export const templates: readonly StarterTemplate[] = [
  {
    id: 'static-site',
    title: 'Static site',
    description: 'Pages in plain HTML, CSS and JavaScript with a small build script; needs no package.',
    deploy_type: 'STATIC_SITE',
    build_command: 'node build.mjs',
    publish_directory: 'dist',
    folder: example('static-site'),
    canisters: [{ name: 'website', kind: 'site' }],
  },
  {
    id: 'motoko-counter',
    title: 'Motoko counter',
    description: 'A counter that keeps its value across upgrades, written for a first look at Motoko.',
    deploy_type: 'MOTOKO',
    build_command: '',
    publish_directory: '',
    folder: example('motoko-counter'),
    canisters: [{ name: 'counter', kind: 'motoko' }],
  },
];
