import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Model } from '../model/model.js';

const ModelContext = createContext<Model | undefined>(undefined);
export const ModelProvider = ModelContext.Provider;

/** The model of the page, for its components. */
export function useModel(): Model {
  const model = useContext(ModelContext);
  if (!model) throw new Error('There is no model around the component');
  return model;
}
