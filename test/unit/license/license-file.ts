const DECODER = new TextDecoder('windows-1251');
const BYTES = new Map(Array.from({ length: 256 }, (_, byte) => [DECODER.decode(Uint8Array.of(byte)), byte]));

/** Encodes a text in windows-1251, which Node can only decode. */
export function windows1251(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => {
    const byte = BYTES.get(character);
    if (byte === undefined) throw new Error(`windows-1251 has no ${character}`);
    return byte;
  });
}
