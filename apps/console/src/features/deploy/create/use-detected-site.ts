import type { CreateDeployForm, DetectedSiteAnswer } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { DeployDraft } from '../../../lib/shared/deploy-draft.ts';
import { initialForm } from '../api/payloads.ts';
import { detectedSiteQuery } from '../api/queries.ts';

type Settings = Pick<CreateDeployForm, 'build_cmd' | 'publish_dir'>;

interface DetectedSiteOptions {
  readonly draft: DeployDraft;
  readonly outsideUrl: string | undefined;
  readonly branch: string;
  /** Folder of the project; empty for the whole repository. */
  readonly root: string;
  /** Whether there is something to find out: a static site whose branches are known. */
  readonly enabled: boolean;
  readonly form: Pick<UseFormReturn<CreateDeployForm>, 'getValues' | 'setValue'>;
}

/** Whether the user is in one of the two fields: what comes now would mix with what is being written. */
function isWriting(): boolean {
  const { activeElement } = document;
  return (
    activeElement instanceof HTMLInputElement && ['build_cmd', 'publish_dir'].includes(activeElement.name)
  );
}

/**
 * Fills build command and publish directory in by what the branch is recognised as, as long as the user has written
 * neither. A starter template brings its settings itself.
 * @returns what was found out, undefined while that is not known, and whether the service does not tell
 */
export function useDetectedSite({ draft, outsideUrl, branch, root, enabled, form }: DetectedSiteOptions): {
  readonly detected: DetectedSiteAnswer | undefined;
  readonly isUnknown: boolean;
} {
  const { owner, repo_name, isPublic } = draft;
  const { getValues, setValue } = form;
  const { data, isError } = useQuery({
    ...detectedSiteQuery({
      owner,
      repo_name,
      branch,
      is_public: isPublic,
      ...(outsideUrl !== undefined && { url: outsideUrl }),
      ...(root !== '' && { root_directory: root }),
    }),
    enabled: enabled && draft.build_command === undefined,
  });
  const filled = useRef<Settings>(initialForm(draft));

  useEffect(() => {
    if (data === undefined || data.framework === null) return;
    const { build_cmd, publish_dir } = getValues();
    if (build_cmd !== filled.current.build_cmd || publish_dir !== filled.current.publish_dir) return;
    if (isWriting()) return;
    filled.current = { build_cmd: data.build_command, publish_dir: data.publish_directory };
    setValue('build_cmd', data.build_command);
    setValue('publish_dir', data.publish_directory);
  }, [data, getValues, setValue]);

  return { detected: enabled ? data : undefined, isUnknown: isError };
}
