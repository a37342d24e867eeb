import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Store } from '../model/store.js';

const StoreContext = createContext<Store | undefined>(undefined);
export const StoreProvider = StoreContext.Provider;

/** What the page knows, for its components. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('There is no store around the component');
  return store;
}
