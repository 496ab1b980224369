/** The server's part of the first start and of the pages about the program, with the words of its failures. */
import { useMemo } from 'react';
import { createSetupApi, type SetupApi } from '../api/setup-api.ts';
import { useApp } from '../app/use-app.ts';

export function useSetupApi(): SetupApi {
  const { request } = useApp();
  return useMemo(() => createSetupApi(request), [request]);
}
